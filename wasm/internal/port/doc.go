// Package port carries job frames between the page and its Web Workers: every
// frame is one transferable ArrayBuffer on a MessagePort, so that nothing
// depends on shared memory, which a static host cannot switch on. Workers is the
// page's end, for the pool, Serve a Worker's.
package port
