//go:build race

package shared

const race = true
