package job

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// samples returns one message of every kind with every field set to something
// drawn from rng, so that a field that the codec forgets does not come back.
func samples(rng *rand.Rand) []Body {
	var out []Body
	for _, make := range kinds {
		b := make()
		fill(reflect.ValueOf(b).Elem(), rng)
		out = append(out, b)
	}
	return out
}

func fill(v reflect.Value, rng *rand.Rand) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), rng)
		}
	case reflect.Slice:
		n := 1 + rng.IntN(4)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(v.Index(i), rng)
		}
	case reflect.String:
		v.SetString(string(rune('a'+rng.IntN(26))) + "é\x00")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(rng.NormFloat64() * math.Pow(10, float64(rng.IntN(600)-300)))
	case reflect.Float32:
		v.SetFloat(float64(float32(rng.NormFloat64())))
	case reflect.Int, reflect.Int64:
		v.SetInt(rng.Int64() - math.MaxInt64/2)
	case reflect.Int32:
		v.SetInt(int64(int32(rng.Uint32())))
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(1 + rng.Uint64()>>(65-v.Type().Bits()))
	default:
		panic("no rule to fill a " + v.Kind().String())
	}
}

func TestEveryKindRoundTrips(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		for kind, b := range samples(rng) {
			if k, ok := kindOf(b); !ok || int(k) != kind {
				t.Fatalf("%T: kindOf says %d, kinds has it at %d", b, k, kind)
			}
			id := rng.Uint32()
			gotID, got, err := Decode(Encode(id, b))
			if err != nil {
				t.Fatalf("%T: %v", b, err)
			}
			if gotID != id || !reflect.DeepEqual(got, b) {
				t.Fatalf("%T: sent %d %+v, got %d %+v", b, id, b, gotID, got)
			}
		}
	}
}

func TestZeroValuesRoundTrip(t *testing.T) {
	for _, make := range kinds {
		b := make()
		_, got, err := Decode(Encode(0, b))
		if err != nil || !reflect.DeepEqual(got, b) {
			t.Errorf("%T: got %+v, %v", b, got, err)
		}
	}
}

func TestSpecialFloatsKeepTheirBits(t *testing.T) {
	in := &Pushed{Values: []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.SmallestNonzeroFloat64}}
	_, b, err := Decode(Encode(1, in))
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range b.(*Pushed).Values {
		if math.Float64bits(x) != math.Float64bits(in.Values[i]) {
			t.Errorf("value %d: sent %x, got %x", i, math.Float64bits(in.Values[i]), math.Float64bits(x))
		}
	}
}

// A frame cut anywhere must be an error: no prefix of a message is a message.
func TestEveryPrefixIsRefused(t *testing.T) {
	for _, b := range samples(rand.New(rand.NewPCG(3, 4))) {
		frame := Encode(7, b)
		for n := range frame {
			if _, got, err := Decode(frame[:n]); err == nil {
				t.Fatalf("%T: the first %d of %d bytes decode to %+v", b, n, len(frame), got)
			}
		}
		if _, _, err := Decode(append(frame, 0)); err == nil {
			t.Fatalf("%T: a byte too many is accepted", b)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := Encode(1, &Cancel{Request: 2})
	alter := func(at int, x byte) []byte {
		f := bytes.Clone(good)
		f[at] = x
		return f
	}
	huge := Encode(1, &Pushed{})
	binary.LittleEndian.PutUint32(huge[len(huge)-4:], math.MaxUint32)
	wide := Encode(1, &Distance{})
	wide[len(wide)-1] = 0x7f
	truth := Encode(1, &Partners{})
	truth[len(truth)-8] = 2
	for name, c := range map[string]struct {
		frame []byte
		want  string
	}{
		"nothing":          {nil, "not a message frame"},
		"other magic":      {alter(0, 'X'), "not a message frame"},
		"other version":    {alter(3, Version+1), "reload the page"},
		"unknown kind":     {alter(4, byte(len(kinds))), "unknown kind"},
		"count too large":  {huge, "announces 4294967295 elements"},
		"int32 too large":  {wide, "does not fit 32 bits"},
		"truth value of 2": {truth, "truth value 2"},
	} {
		_, b, err := Decode(c.frame)
		if err == nil || b != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, %v, want an error with %q", name, b, err, c.want)
		}
	}
}

// A hostile count must not allocate: the frame is 14 bytes and announces
// billions of elements.
func TestHugeCountsDoNotAllocate(t *testing.T) {
	frame := Encode(1, &Pushed{})
	binary.LittleEndian.PutUint32(frame[len(frame)-4:], math.MaxUint32)
	got := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			if _, _, err := Decode(frame); err == nil {
				b.Fatal("accepted")
			}
		}
	}).AllocedBytesPerOp()
	if got > 4096 {
		t.Errorf("decoding a frame of %d bytes allocates %d bytes", len(frame), got)
	}
}

func TestEncodeOfAnUnknownTypePanics(t *testing.T) {
	defer func() {
		if r := recover(); r != "job: Encode: not a message type" {
			t.Errorf("panic %v", r)
		}
	}()
	Encode(1, nil)
}

// FuzzDecode: no frame makes Decode panic or allocate far beyond the frame's
// own size, and what it accepts is encoded back to the same bytes.
func FuzzDecode(f *testing.F) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, b := range samples(rng) {
		f.Add(Encode(rng.Uint32(), b))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		id, b, err := Decode(frame)
		if err != nil {
			return
		}
		if again := Encode(id, b); !bytes.Equal(again, frame) {
			t.Fatalf("%T: %x is read and written back as %x", b, frame, again)
		}
	})
}

// On a machine whose numbers begin with their greatest byte frames are the same.
func TestBigEndian(t *testing.T) {
	defer func(was bool) { bigEndian = was }(bigEndian)
	for _, c := range []struct {
		big  bool
		want []byte
	}{{false, []byte{1, 2, 3, 4, 5, 6, 7, 8}}, {true, []byte{4, 3, 2, 1, 8, 7, 6, 5}}} {
		bigEndian = c.big
		to := make([]byte, 8)
		littleEndian(to, []byte{1, 2, 3, 4, 5, 6, 7, 8}, 4)
		if !bytes.Equal(to, c.want) {
			t.Errorf("big endian %v: %v", c.big, to)
		}
	}
}
