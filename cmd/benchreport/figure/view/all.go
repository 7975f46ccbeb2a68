package view

// All are the views of all benchmarks, in the order of the report. Each line is asked of them
// in this order, too, and is shown by the first that takes it.
func All() []*View {
	return []*View{
		anatomy(),
		codecs(),
		counts(),
		dial(),
		idle(),
		footprint(),
		closed(),
		cores(),
		phase(),
		rate(),
		capacity(),
		load(),
		bulk(),
		stall(),
		workload(),
	}
}
