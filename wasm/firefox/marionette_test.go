//go:build firefox && !js

package firefox

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// marionette is a line to Firefox by the protocol that it is itself driven by, which Mozilla's WebDriver server speaks too: JSON arrays, each after its
// length and a colon. A command is [0, number, name, parameters], its answer [1, number, error, result].
type marionette struct {
	conn   net.Conn
	in     *bufio.Reader
	number int
}

// patience is when an answer that does not come is given up.
const patience = 2 * time.Minute

// attach begins a session with the Firefox that listens at an address.
func attach(address string) (*marionette, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	m := &marionette{conn: conn, in: bufio.NewReader(conn)}
	if _, err := m.read(); err != nil { // it says what it speaks
		return nil, err
	}
	_, err = m.call("WebDriver:NewSession", map[string]any{"timeouts": map[string]any{"script": patience.Milliseconds()}})
	return m, err
}

func (m *marionette) read() ([]byte, error) {
	if err := m.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	length, err := m.in.ReadString(':')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(length[:len(length)-1])
	if err != nil || n < 0 || n > 1<<28 {
		return nil, fmt.Errorf("a message of length %q", length)
	}
	message := make([]byte, n)
	_, err = io.ReadFull(m.in, message)
	return message, err
}

// call runs a command and returns its result.
func (m *marionette) call(command string, parameters any) (json.RawMessage, error) {
	m.number++
	message, err := json.Marshal([]any{0, m.number, command, parameters})
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(m.conn, "%d:%s", len(message), message); err != nil {
		return nil, err
	}
	if message, err = m.read(); err != nil {
		return nil, fmt.Errorf("%s: %w", command, err)
	}
	var kind, number int
	var failure *struct{ Error, Message string }
	var result json.RawMessage
	if err := json.Unmarshal(message, &[]any{&kind, &number, &failure, &result}); err != nil {
		return nil, err
	}
	switch {
	case kind != 1 || number != m.number:
		return nil, errors.New("an answer to something else: " + string(message))
	case failure != nil:
		return nil, fmt.Errorf("%s: %s: %s", command, failure.Error, failure.Message)
	}
	return result, nil
}
