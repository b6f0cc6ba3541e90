package method_test

import (
	"context"
	"fmt"
	"time"

	"genussink/core/graph"
	"genussink/core/job"
	"genussink/core/mesh/generate"
	"genussink/core/method"
)

// A mesh and a specification become a kernel, with what is proved of its distances.
func Example() {
	m, err := generate.Make("sphere", map[string]float64{"frequency": 8})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, unit := method.Scaled(m)
	g, err := graph.FromMesh(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	space := method.NewSpace(m, g, unit)
	maker := method.New(space, &method.Machine{MemoryLimit: 1e9, Now: time.Now})

	spec, err := space.Spec(job.KernelSpec{Method: job.Exact, Epsilon: job.Fraction(0.1)}) // of the diagonal
	if err != nil {
		fmt.Println(err)
		return
	}
	run := &method.Run{Context: context.Background(), Now: time.Now, Progress: func(string, float64) {}}
	k, err := maker.Kernel(run, spec)
	if err != nil {
		fmt.Println(err)
		return
	}
	ones := make([]float64, g.Len())
	for i := range ones {
		ones[i] = 1
	}
	sums, err := k.Kernel.MulVec(run.Context, nil, ones)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s in %s, distances within %.0e of epsilon\n", k.Made.Method, k.Made.Precision, k.Made.Bound/spec.Epsilon)
	fmt.Printf("row 0 of the kernel adds up to %.2f\n", sums[0])

	_, err = space.Spec(job.KernelSpec{Method: job.Exact, Epsilon: job.Fraction(-1)})
	fmt.Println(err)
	// Output:
	// exact in float32, distances within 9e-06 of epsilon
	// row 0 of the kernel adds up to 30.40
	// epsilon -1: must be positive and finite
}
