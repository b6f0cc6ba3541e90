package job

// The fields of every message, in the order of its frame. Decoding goes through them too.

func (m *Load) fields(c *coder) {
	c.string(&m.Name)
	c.bytes(&m.Data)
	list(c, &m.Files, 8, func(f *File) { c.string(&f.Name); c.bytes(&f.Data) })
	c.float(&m.Weld)
	c.bool(&m.Space)
	c.bool(&m.Brief)
	list(c, &m.Repairs, 4, c.string)
}

func (m *Generate) fields(c *coder) {
	c.string(&m.Kind)
	list(c, &m.Params, 12, func(p *Param) { c.string(&p.Name); c.float(&p.Value) })
	c.bool(&m.Brief)
}

func (m *Forecasted) fields(c *coder) {
	m.Asked.fields(c)
	list(c, &m.Others, 104, func(o *Outlook) { o.fields(c) })
	c.float(&m.Patience)
	c.int64(&m.Limit)
}

func (o *Outlook) fields(c *coder) {
	o.KernelSpec.fields(c)
	c.int64(&o.Bytes)
	c.float(&o.Seconds)
}

func (m *Opened) fields(c *coder) {
	c.string(&m.Name)
	c.string(&m.Format)
	c.floats(&m.Positions)
	c.ints(&m.Faces)
	c.bool(&m.Graph)
	c.ints(&m.Edges)
	c.floats(&m.Lengths)
	c.floats(&m.Numbers)
	c.bool(&m.Flat)
	c.float(&m.Diagonal)
	list(c, &m.Warnings, 4, c.string)
	list(c, &m.Repaired, 12, func(x *Repaired) { c.string(&x.Step); c.int(&x.Count) })
	c.timings(&m.Timings)
}

func (m *Loaded) fields(c *coder) {
	c.string(&m.Name)
	c.string(&m.Format)
	c.floats(&m.Positions)
	c.ints(&m.Faces)
	c.ints(&m.Edges)
	c.bool(&m.Flat)
	c.ints(&m.Component)
	m.Report.fields(c)
	c.timings(&m.Timings)
}

func (r *Report) fields(c *coder) {
	for _, p := range []*int{
		&r.Vertices, &r.Faces, &r.Edges, &r.Components, &r.BoundaryLoops, &r.Euler, &r.Genus,
		&r.NonmanifoldEdges, &r.NonmanifoldVertices, &r.DegenerateFaces, &r.IsolatedVertices,
	} {
		c.int(p)
	}
	for _, p := range []*float64{&r.EdgeMin, &r.EdgeMean, &r.EdgeMax, &r.Diagonal} {
		c.float(p)
	}
	c.bool(&r.Watertight)
	c.bool(&r.Oriented)
	list(c, &r.Warnings, 4, c.string)
}

func (m *Separate) fields(c *coder) {
	c.string(&m.Finder)
	c.float(&m.Balance)
	c.int(&m.Depth)
	c.float(&m.Patience)
	c.bytes(&m.Root)
}

func (m *Separated) fields(c *coder) {
	c.string(&m.Finder)
	list(c, &m.Nodes, 56, func(n *Node) {
		for _, p := range []*int32{&n.Parent, &n.Left, &n.Right, &n.Depth, &n.A, &n.S, &n.B} {
			c.int32(p)
		}
	})
	c.ints(&m.Cells)
	c.timings(&m.Timings)
}

func (m *Sweep) fields(*coder) {}

func (m *Swept) fields(c *coder) {
	list(c, &m.Cuts, 28, func(x *Cut) {
		for _, p := range []*int32{&x.A, &x.S, &x.B} {
			c.int32(p)
		}
		c.bytes(&x.Sides)
	})
	c.timings(&m.Timings)
}

func (m *Decompose) fields(c *coder) { c.float(&m.Seconds) }

func (m *Check) fields(c *coder) {
	c.string(&m.Name)
	c.bytes(&m.Data)
}

func (m *Narrowed) fields(c *coder) {
	c.int(&m.Lower)
	c.int(&m.Upper)
	m.Decomposition.fields(c)
}

func (m *Decomposed) fields(c *coder) {
	c.int(&m.Lower)
	c.int(&m.Upper)
	c.bool(&m.Exact)
	c.string(&m.Status)
	m.Decomposition.fields(c)
	c.timings(&m.Timings)
}

func (d *Decomposition) fields(c *coder) {
	for _, p := range []*[]int32{&d.Parents, &d.Sizes, &d.Tops, &d.Offsets, &d.Ends, &d.Order} {
		c.ints(p)
	}
}

func (m *Measure) fields(c *coder) {
	c.string(&m.Preset)
	c.string(&m.Components)
}

func (m *Balance) fields(c *coder) {
	c.floats(&m.Source)
	c.floats(&m.Target)
}

func (m *Measured) fields(c *coder) {
	c.string(&m.Preset)
	c.string(&m.Components)
	c.string(&m.Note)
	c.floats(&m.Source)
	c.floats(&m.Target)
}

func (s *Step) fields(c *coder) {
	c.string(&s.Kind)
	s.Measure.fields(c)
	c.float(&s.Radius)
	c.float(&s.Strength)
	c.ints(&s.Centres)
	c.bytes(&s.Pressures)
	c.bool(&s.Fill)
	c.bool(&s.Anew)
	c.floats(&s.Source)
	c.floats(&s.Target)
}

func (m *Paint) fields(c *coder) {
	c.int(&m.Vertices)
	list(c, &m.Steps, 40, func(s *Step) { s.fields(c) })
	c.int(&m.First)
}

func (m *Painted) fields(c *coder) {
	list(c, &m.States, 20, func(s *Measured) { s.fields(c) })
}

func (m *Brush) fields(c *coder) {
	c.int32(&m.Center)
	c.float(&m.Radius)
	c.bool(&m.Edges)
	c.bool(&m.Tree)
}

func (m *Brushed) fields(c *coder) {
	c.int32(&m.Center)
	c.ints(&m.Vertices)
	c.floats(&m.Distances)
	c.ints(&m.Edges)
	c.floats(&m.Lengths)
	c.ints(&m.Before)
}

func (m *Inspect) fields(*coder) {}

func (m *Mirror) fields(*coder) {}

func (m *Mirrored) fields(c *coder) {
	c.string(&m.Axis)
	c.ints(&m.Partners)
}

func (m *Inspected) fields(c *coder) {
	list(c, &m.BoundaryLoops, 4, func(l *Loop) { c.ints(&l.Vertices) })
	list(c, &m.SmallComponents, 4, func(x *Component) { c.ints(&x.Vertices) })
	c.int(&m.Doubles)
	for _, p := range []*[]int32{&m.NonmanifoldEdges, &m.NonmanifoldVertices, &m.DegenerateFaces, &m.FlippedFaces, &m.IsolatedVertices, &m.Edges, &m.Bent} {
		c.ints(p)
	}
	for _, p := range []*[]float64{&m.EdgeLengths, &m.AspectRatios, &m.Degrees, &m.Angles, &m.Mean, &m.Gaussian} {
		c.floats(p)
	}
	c.timings(&m.Timings)
}

func (m *Shade) fields(*coder) {}

func (m *Shaded) fields(c *coder) {
	c.ints(&m.Faces)
	c.ints(&m.Doubles)
	c.shorts(&m.Normals)
	c.shorts(&m.Open)
}

func (m *Distance) fields(c *coder) {
	c.int32(&m.From)
	c.int32(&m.To)
}

func (m *Path) fields(c *coder) {
	c.ints(&m.Vertices)
	c.float(&m.Length)
}

func (l *Length) fields(c *coder) {
	c.float(&l.Value)
	c.bool(&l.Units)
}

func (s *KernelSpec) fields(c *coder) {
	c.string(&s.Method)
	c.string(&s.Function)
	s.Epsilon.fields(c)
	s.Delta.fields(c)
	c.string(&s.Host)
	c.string(&s.Precision)
	c.int(&s.Levels)
	s.Sample.fields(c)
	c.int(&s.Representatives)
}

func (k *Kernel) fields(c *coder) {
	for _, p := range []*string{&k.Method, &k.Requested, &k.Note, &k.Function, &k.Host, &k.Precision} {
		c.string(p)
	}
	for _, p := range []*float64{&k.Share, &k.Epsilon, &k.Delta, &k.Bound} {
		c.float(p)
	}
	c.int(&k.Width)
	c.int(&k.Depth)
	k.Crosses.fields(c)
	c.int64(&k.MemoryBytes)
}

func (m *Solve) fields(c *coder) {
	m.KernelSpec.fields(c)
	c.floats(&m.Source)
	c.floats(&m.Target)
	m.Reach.fields(c)
	c.bool(&m.Debias)
	c.float(&m.Tolerance)
	c.int(&m.MaxIterations)
	c.float(&m.Patience)
	c.bool(&m.Warm)
	c.float(&m.Accuracy)
}

func (m *Minimum) fields(c *coder) {
	c.floats(&m.Source)
	c.floats(&m.Target)
}

func (m *Minimised) fields(c *coder) {
	c.float(&m.Cost)
	c.float(&m.Dual)
	c.ints(&m.From)
	c.ints(&m.To)
	c.floats(&m.Mass)
	c.floats(&m.Potential)
	c.int(&m.Iterations)
	c.timings(&m.Timings)
}

func (m *Barycentre) fields(c *coder) {
	m.KernelSpec.fields(c)
	c.floats(&m.Densities)
	c.floats(&m.Weights)
	c.float(&m.Tolerance)
	c.int(&m.MaxIterations)
}

func (m *Barycentred) fields(c *coder) {
	m.Kernel.fields(c)
	c.floats(&m.Density)
	c.floats(&m.Costs)
	c.string(&m.Status)
	c.int(&m.Iterations)
	c.float(&m.MarginalError)
	c.timings(&m.Timings)
}

func (m *Profiled) fields(c *coder) {
	c.int(&m.Rows)
	c.float(&m.Longest)
	c.ints(&m.Pairs)
	c.floats(&m.Values)
	c.float(&m.Tenth)
	c.float(&m.Nearer)
}

func (s *Sample) fields(c *coder) {
	c.int(&s.Keep)
	c.bool(&s.Farthest)
	c.uint64(&s.Seed)
}

func (m *Solved) fields(c *coder) {
	m.Kernel.fields(c)
	m.Solution.fields(c)
	c.int(&m.Vertices)
	c.int(&m.Edges)
	c.int(&m.Representatives)
	c.float(&m.Estimate.Cost)
	c.float(&m.Estimate.Low)
	c.float(&m.Estimate.High)
	c.float(&m.LowerBound)
	c.float(&m.Reach)
	c.float(&m.Destroyed)
	c.float(&m.Created)
	c.float(&m.RootMeanSquare)
	c.float(&m.Divergence)
	c.float(&m.DivergenceWithin)
	m.Accuracy.fields(c)
	c.floats(&m.LogU)
	c.floats(&m.LogV)
	c.int64(&m.PeakBytes)
	c.int64(&m.DenseBytes)
	c.bool(&m.Warm)
	c.timings(&m.Setup)
	c.float(&m.DenseSetup)
	c.float(&m.DenseSolve)
	c.int(&m.Threads)
	c.timings(&m.Timings)
}

func (s *Solution) fields(c *coder) {
	c.string(&s.Form)
	c.string(&s.Status)
	c.int(&s.Iterations)
	c.float(&s.MarginalError)
	c.floats(&s.Trace)
	for _, p := range s.Lengths() {
		c.float(p)
	}
}

func (x *Crosses) fields(c *coder) {
	c.int(&x.Single)
	c.int(&x.Range)
	c.int(&x.Cover)
	c.int(&x.Pairs)
	c.int(&x.Leaves)
}

func (a *Accuracy) fields(c *coder) {
	c.int(&a.Rows)
	for _, p := range []*float64{&a.Least, &a.Most, &a.Mean, &a.MostRelative, &a.MeanRelative} {
		c.float(p)
	}
	c.bool(&a.Holds)
}

func (m *Partners) fields(c *coder) {
	c.int32(&m.Vertex)
	c.int(&m.Top)
	c.bool(&m.Target)
	c.bool(&m.Distances)
}

func (m *Block) fields(c *coder) { c.int(&m.Number) }

func (m *Blocked) fields(c *coder) {
	c.int(&m.Number)
	c.int(&m.Count)
	for _, p := range []*[]int32{&m.RowStarts, &m.RowVertices, &m.ColumnStarts, &m.ColVertices, &m.Runs} {
		c.ints(p)
	}
}

func (m *Retrace) fields(*coder) {}

func (m *Retraced) fields(c *coder) {
	c.floats(&m.Trace)
	list(c, &m.Frames, 16, func(f *Frame) { c.int32(&f.Iteration); c.shorts(&f.Rows); c.shorts(&f.Columns) })
	c.timings(&m.Timings)
}

func (m *Partnered) fields(c *coder) {
	c.int32(&m.Vertex)
	c.ints(&m.Vertices)
	c.floats(&m.Mass)
	c.float(&m.Total)
	c.floats(&m.Distances)
	c.floats(&m.True)
}

func (m *Push) fields(c *coder) {
	c.floats(&m.Values)
	c.bool(&m.Transpose)
}

func (m *Pushed) fields(c *coder) { c.floats(&m.Values) }

func (m *Between) fields(c *coder) {
	c.ints(&m.From)
	c.ints(&m.To)
}

func (m *Shared) fields(c *coder) { c.float(&m.Mass) }

func (m *Centres) fields(*coder) {}

func (m *Centred) fields(c *coder) { c.floats(&m.Positions) }

func (m *Draw) fields(c *coder) {
	c.int(&m.Count)
	c.uint64(&m.Seed)
}

func (m *Drawn) fields(c *coder) {
	c.ints(&m.From)
	c.ints(&m.To)
}

func (m *Flow) fields(c *coder) {
	c.int(&m.Particles)
	c.uint64(&m.Seed)
}

func (m *Flowing) fields(c *coder) {
	c.ints(&m.Offsets)
	c.ints(&m.Vertices)
	c.floats(&m.Along)
}

func (m *Benchmark) fields(c *coder) {
	m.Epsilon.fields(c)
	c.floats(&m.Source)
	c.floats(&m.Target)
	list(c, &m.Methods, 4, c.string)
	c.int(&m.Particles)
}

func (m *Benchmarking) fields(c *coder) {
	for _, p := range []*string{&m.Method, &m.Setting, &m.Note} {
		c.string(p)
	}
	for _, p := range []*float64{&m.Cost, &m.Error, &m.Bound, &m.MarginalError, &m.Setup, &m.Solve} {
		c.float(p)
	}
	c.int(&m.Iterations)
	c.int64(&m.PeakBytes)
	m.Flowing.fields(c)
}

func (m *Benchmarked) fields(c *coder) { c.string(&m.Reference) }

func (m *Flowed) fields(c *coder) {
	c.int(&m.Particles)
	c.timings(&m.Timings)
}

func (m *Cancel) fields(c *coder) { c.uint32(&m.Request) }

func (m *Progress) fields(c *coder) {
	c.string(&m.Stage)
	c.float(&m.Fraction)
}

func (m *Failed) fields(c *coder) {
	c.string(&m.Kind)
	c.string(&m.Message)
}

func (m *Cancelled) fields(*coder) {}

func (m *Apply) fields(c *coder) {
	m.KernelSpec.fields(c)
	c.floats(&m.Values)
}

func (m *Applied) fields(c *coder) {
	m.Kernel.fields(c)
	c.floats(&m.Values)
	c.timings(&m.Timings)
}

func (m *Export) fields(c *coder) {
	c.string(&m.Format)
	c.string(&m.Mesh)
	c.floats(&m.Source)
	c.floats(&m.Target)
	c.bool(&m.Moved)
	c.ints(&m.Cells)
	c.bytes(&m.Colors)
}

func (m *Animate) fields(c *coder) {
	c.int(&m.Width)
	c.int(&m.Height)
	c.int(&m.Delay)
	c.bytes(&m.Frames)
}

func (m *Exported) fields(c *coder) {
	c.string(&m.Format)
	c.bytes(&m.Data)
}

func (m *Dissect) fields(c *coder) {
	c.ints(&m.Offsets)
	c.ints(&m.Targets)
	c.floats(&m.Weights)
	c.floats(&m.Positions)
	c.ints(&m.Faces)
	c.string(&m.Finder)
	c.float(&m.Balance)
	c.int(&m.Levels)
	c.int(&m.Depth)
}

func (m *Dissected) fields(c *coder) {
	c.ints(&m.Vertices)
	c.ints(&m.Sizes)
}

func (m *Polish) fields(c *coder) { c.float(&m.Seconds) }

func (m *Polishing) fields(c *coder) { m.Estimate.fields(c) }

func (m *Polished) fields(c *coder) {
	m.Estimate.fields(c)
	c.string(&m.Why)
	c.timings(&m.Timings)
}

func (e *Estimate) fields(c *coder) {
	c.float(&e.Cost)
	c.float(&e.Low)
	c.float(&e.High)
	c.int(&e.Rows)
	c.int(&e.Of)
	c.int(&e.Pairs)
	c.bool(&e.Known)
}

func (m *Hold) fields(c *coder) {
	c.ints(&m.Order)
	c.ints(&m.Sizes)
	c.ints(&m.Hubs)
	lists(c, &m.Distances)
	lists(c, &m.Short)
	c.float(&m.Delta)
	c.int(&m.Part)
	c.int(&m.Parts)
	c.int(&m.Cover)
	c.ints(&m.Offsets)
	c.ints(&m.Targets)
	c.floats(&m.Weights)
}

func (m *Tune) fields(c *coder) { c.float(&m.Epsilon) }

func (m *Tuned) fields(c *coder) { c.int64(&m.Bytes) }

func (m *Held) fields(c *coder) { c.int64(&m.Bytes) }

func (m *Multiply) fields(c *coder) {
	c.string(&m.Product)
	c.float(&m.Epsilon)
	c.int(&m.Cover)
	c.floats(&m.X)
	c.floats(&m.Y)
}

func (m *Multiplied) fields(c *coder) { c.floats(&m.Values) }
