package main

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// fallbackMemory is assumed where the system does not say.
const fallbackMemory = 8 << 30

// availableMemory is how many bytes tree and kernel may take: four fifths of what
// the machine can give without swapping. The last fifth is for everything else.
func availableMemory() int64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return fallbackMemory
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), "MemAvailable:"); ok {
			kilobytes, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(text, "kB")), 10, 64)
			if err == nil && kilobytes > 0 {
				return kilobytes * 1024 / 5 * 4
			}
		}
	}
	return fallbackMemory
}
