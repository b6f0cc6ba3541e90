//go:build js

package main

import (
	"errors"
	"fmt"
	"slices"
	"syscall/js"
	"time"

	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

const (
	maxElsewhere = 128 << 20        // bytes of a file of another host
	silence      = 30 * time.Second // after which that host is given up
)

var errDeclined = errors.New("it was not asked for")

// fetchElsewhere reads a file of another host: by https, or of this machine. Nothing is sent to that host before a person has
// named it or said so, and then neither cookies nor the page's address. Call it from a goroutine of its own.
func (p *page) fetchElsewhere(u js.Value, file string, named bool) ([]byte, error) {
	host := u.Get("host").String()
	local := slices.Contains([]string{"127.0.0.1", "localhost"}, u.Get("hostname").String())
	if scheme := u.Get("protocol").String(); scheme != "https:" && (scheme != "http:" || !local) {
		return nil, fmt.Errorf("files of other hosts are read by https only, not by %s", scheme)
	}
	if !named && !p.allowed(file, host) {
		return nil, errDeclined
	}
	p.say(fmt.Sprintf("Loading %s from %s…", file, host))
	defer func() {
		p.notice = ""
		p.text("status", p.scene.State().Status)
	}()
	abort := js.Global().Get("AbortController").New()
	defer abort.Call("abort")
	silent := false
	patiently := func(promise js.Value) (js.Value, error) {
		watch := time.AfterFunc(silence, func() {
			silent = true
			abort.Call("abort")
		})
		defer watch.Stop()
		v, err := dom.Await(promise)
		if err != nil && silent {
			err = fmt.Errorf("%s has sent nothing for %s. Try again later, or download the file and drop it here", host, quantity.Seconds(silence.Seconds()))
		}
		return v, err
	}
	response, err := patiently(js.Global().Call("fetch", u, map[string]any{
		"mode": "cors", "credentials": "omit", "referrerPolicy": "no-referrer", "signal": abort.Get("signal"),
	}))
	switch {
	case silent:
		return nil, err
	case err != nil && !dom.Window().Get("navigator").Get("onLine").Bool():
		return nil, fmt.Errorf("%s cannot be reached: this browser is offline", host)
	case err != nil:
		return nil, fmt.Errorf("%s gave nothing that this page may read. The browser does not say why. Most likely that host lets no other site read its files (it sends no CORS header); or it does not exist, or is down. Download the file and drop it here", host)
	case !response.Get("ok").Bool():
		return nil, fmt.Errorf("%s answers %d %s", host, response.Get("status").Int(), response.Get("statusText").String())
	}
	tooLarge := fmt.Errorf("the file has more than the %s that the page reads from another host. Download it and drop it here", quantity.Bytes(maxElsewhere))
	if length := response.Get("headers").Call("get", "Content-Length"); length.Truthy() && !(js.Global().Call("Number", length).Float() <= maxElsewhere) {
		return nil, tooLarge
	}
	parts := js.Global().Get("Array").New()
	total := 0
	for reader := response.Get("body").Call("getReader"); ; {
		part, err := patiently(reader.Call("read"))
		switch {
		case silent:
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("the connection to %s broke off after %s", host, quantity.Bytes(int64(total)))
		case part.Get("done").Bool():
			buffer, err := dom.Await(js.Global().Get("Blob").New(parts).Call("arrayBuffer"))
			if err != nil {
				return nil, err
			}
			return dom.Bytes(buffer), nil
		}
		before := total
		parts.Call("push", part.Get("value"))
		if total += part.Get("value").Length(); total > maxElsewhere {
			return nil, tooLarge
		}
		if total>>20 > before>>20 {
			p.say(fmt.Sprintf("Loading %s from %s: %s", file, host, quantity.Bytes(int64(total))))
		}
	}
}

// allowed asks whether a link may have a file of another host loaded.
func (p *page) allowed(file, host string) bool {
	dialog := p.id("elsewhere")
	p.text("elsewhere-what", fmt.Sprintf("The link wants to load %s from %s.", file, host))
	p.text("elsewhere-why", "That host learns that you asked, and your network address. Nothing of yours is sent to it.")
	closed := make(chan string, 1)
	dialog.Set("returnValue", "")
	listener := dom.Listen(dialog.Value, "close", func(js.Value) { closed <- dialog.Get("returnValue").String() })
	defer listener.Release()
	dialog.Call("showModal")
	p.id("elsewhere-not").Call("focus")
	return <-closed == "open"
}
