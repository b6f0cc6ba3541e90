//go:build js

package dom

import "syscall/js"

// storage calls f with what the browser keeps of the site as text, by name. A browser may forbid to keep anything, or have no room: then what f
// had to do is left undone. Reflect asks for it in a call, as Go survives what a call throws, not what a property does.
func storage(f func(local js.Value)) {
	defer func() { _ = recover() }()
	f(js.Global().Get("Reflect").Call("get", Window(), "localStorage"))
}

// Remember keeps a text under a name, until a person clears what the site has kept.
func Remember(name, text string) {
	storage(func(local js.Value) { local.Call("setItem", name, text) })
}

// Recall is the text that is kept under a name, "" where there is none.
func Recall(name string) (text string) {
	storage(func(local js.Value) {
		if kept := local.Call("getItem", name); kept.Type() == js.TypeString {
			text = kept.String()
		}
	})
	return text
}
