//go:build js

package main

import (
	"syscall/js"

	"genussink/viewer/lesson"
)

// The page without its lessons: TestSizes builds it in place of lessons.go and figures.go, and compares.

type lessons struct {
	m       *none
	leaving bool
}

type none struct{}

func (*none) SetOwn(any) {}

func (*page) lessonControls()                {}
func (*page) lessonView()                    {}
func (*page) lessonFrame()                   {}
func (*page) lessonPlays() bool              { return false }
func (*page) lessonState() *lesson.State     { return nil }
func (*page) anotherMesh()                   {}
func (*page) drawFigures()                   {}
func (*page) keepLesson()                    {}
func (*page) lessonKeys(js.Value, bool) bool { return false }
