//go:build js

package main
