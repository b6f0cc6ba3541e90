// Package e2e holds the page up to a real browser: the built page, served by
// the real server, in a headless Chromium with a new profile. Nothing waits
// for a time to pass, only for a state to be reached.
//
//	make e2e
package e2e
