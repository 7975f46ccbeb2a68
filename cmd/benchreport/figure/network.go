package figure

// networkViews are the sections about what lies between client and server, and what fills
// it.
func networkViews() []view {
	return []view{
		{
			"networks", "Over networks", "The same calls over each network, in the order in which they were measured. The CPU time of a call is that of what carries its packets: where it is a whole CPU, the network was the limit, and the doubts say so.",
			[]part{{closed, networks}, {workload, networks}, {bulk, networks}},
			append(carried("networks"), unit("networks-cpu", "CPU of the network", "ns", "net-cpu-ns/op")),
			several(networks), "no lines differ in their network: run benchmarks with several -net",
		},
		{
			"windows", "Receive windows", "The same calls with receive windows of several sizes, and with the framework's own. A window is the most that a sender has under way, so a fixed one carries no more than window / round trip.",
			[]part{{closed, windows}, {bulk, windows}},
			carried("windows"),
			several(windows), "no lines differ in their window: run BenchmarkBulk with several -window",
		},
		{
			"parallel", "Transfers at once", "Do several transfers at once carry more than one?",
			[]part{{bulk, parallels}},
			carried("parallel"),
			several(parallels), "no lines differ in their transfers at once: run BenchmarkBulk with several -transfers",
		},
	}
}

// carried are the figures of how much comes through, and how fast.
func carried(id string) []metric {
	return []metric{unit(id+"-bulk", "MB/s", "MB/s", "MB/s"), rate(id + "-throughput"), unit(id+"-p50", "p50", "ns", "p50-ns")}
}
