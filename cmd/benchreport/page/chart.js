// Charts as options of ECharts. Nothing here knows the page: the pictures that
// -svg writes are made by the same lines.
//
// state: frameworks (all names, in their order), ranks (of these), hidden
// (name → true), dark, log (values on a log scale), width in pixels, and for
// pictures title and subtitle.
const charts = (() => {
	"use strict";

	// Each colour stands 3:1 or more against its background, and neighbours
	// differ in lightness as well. For those who do not see their hues, shape
	// alone tells fifteen frameworks apart.
	//
	// Pieces of bars are dark and light by turns, and thus their names are
	// white and black.
	const themes = {
		light: {
			text: "#1f2328", faint: "#59636e", grid: "#dde2e8", back: "#ffffff", card: "#f6f8fa",
			colours: ["#0072b2", "#d55e00", "#00805d", "#b3589a", "#7a5c00", "#2b93d1", "#8b1e3f", "#4b3fb5", "#5f7d1c", "#e0218a", "#00838f", "#3c4043", "#a0622d"],
			pieces: ["#12437b", "#4790e5", "#094953", "#149cb1", "#532d88", "#a27bd9", "#6c3209", "#e8680c", "#504106", "#a98b13", "#702557", "#28a165", "#0b4d2c", "#6b9c27", "#2f2f9e", "#e86077", "#7f1b2c", "#ab8763", "#3e4349", "#878f99"],
		},
		dark: {
			text: "#e6edf3", faint: "#9aa4b0", grid: "#30363d", back: "#0d1117", card: "#161b22",
			colours: ["#4aa8ff", "#ff8a3d", "#2fcf9f", "#f09bd9", "#e3c04f", "#9bdcff", "#ff7d9c", "#a99bff", "#b7d957", "#ff5fb0", "#35d6e6", "#ffd9b8", "#c8a27a"],
			pieces: ["#1a63b6", "#9ac2f1", "#0e6d7c", "#35d1e9", "#7a47c2", "#cbb6ea", "#a04a0d", "#f8af7b", "#77610a", "#e3bb19", "#a63781", "#58d597", "#107241", "#95d043", "#5a5ad6", "#f3acb8", "#bb2840", "#d0bca7", "#5d646d", "#bbbfc5"],
		},
	};
	// Shapes fill a square of 16; those with a hole turn the other way inside.
	const shapes = [
		"M8 0A8 8 0 1 1 8 16A8 8 0 1 1 8 0Z", // disc
		"M1 1H15V15H1Z", // square
		"M8 0L16 16H0Z", // triangle
		"M8 0L16 8L8 16L0 8Z", // diamond
		"M5.5 0H10.5V5.5H16V10.5H10.5V16H5.5V10.5H0V5.5H5.5Z", // plus
		"M3 0L8 5L13 0L16 3L11 8L16 13L13 16L8 11L3 16L0 13L5 8L0 3Z", // cross
		"M0 0H16L8 16Z", // triangle on its tip
		"M8 0L10 6H16L11.2 9.8L13 16L8 12.2L3 16L4.8 9.8L0 6H6Z", // star
		"M8 0A8 8 0 1 1 8 16A8 8 0 1 1 8 0ZM8 4A4 4 0 1 0 8 12A4 4 0 1 0 8 4Z", // ring
		"M0 0H16V16H0ZM4 4V12H12V4Z", // frame
		"M0 0H16L9.5 8L16 16H0L6.5 8Z", // hourglass
		"M0 0L16 8L0 16Z", // triangle to the right
		"M8 0L16 8L8 16L0 8ZM8 5L5 8L8 11L11 8Z", // diamond with a hole
		"M16 0L0 8L16 16Z", // triangle to the left
		"M5 0H11V16H5Z", // bar
	];
	const mark = (shape) => "mark" + shapes.indexOf(shape);
	shapes.forEach((d) => echarts.graphic.registerShape(mark(d), echarts.graphic.extendPath(d, {})));
	const dashes = ["solid", "dashed", "dotted", [9, 3, 2, 3]];
	const reference = "reference"; // not coloured: what the others are compared with

	const theme = (state) => (state.dark ? themes.dark : themes.light);

	// look is how a framework is drawn in all charts; a serializer has none.
	function look(framework, state) {
		const t = theme(state), i = state.frameworks.indexOf(framework);
		if (i < 0) return { colour: t.colours[0], shape: shapes[0] };
		if (state.ranks[i] === reference) return { colour: t.faint, shape: shapes[shapes.length - 1 - (state.frameworks.length - 1 - i) % shapes.length] };
		return { colour: t.colours[i % t.colours.length], shape: shapes[i % shapes.length] };
	}

	// digits writes v with three digits.
	const digits = (v) => String(Number(v.toPrecision(3)));

	// text writes a value with its unit.
	function text(v, unit) {
		if (unit === "%") return digits(v) + " %";
		if (unit !== "ns") return v >= 1e6 ? digits(v / 1e6) + "M" : v >= 1e3 ? digits(v / 1e3) + "k" : digits(v);
		const [size, name] = timeUnit(v);
		return digits(v / size) + " " + name;
	}

	const timeUnit = (v) => (v >= 1e9 ? [1e9, "s"] : v >= 1e6 ? [1e6, "ms"] : v >= 1e3 ? [1e3, "µs"] : [1, "ns"]);

	const percent = (x) => digitsOf(100 - 100 * Math.pow(10, -x), x) + " %";
	const digitsOf = (p, x) => (x < 2 ? String(Math.round(p * 10) / 10) : p.toFixed(Math.max(Math.ceil(x - 1e-9) - 2, 0)));

	// steps cuts 0 to max or a little more by 1, 2 or 5 times a power of ten.
	function steps(max) {
		const rough = max / 5 || 1;
		const power = Math.pow(10, Math.floor(Math.log10(rough)));
		const step = [1, 2, 5, 10].find((n) => n * power >= rough * 0.999) * power;
		return { min: 0, max: Math.ceil((max / step) * 0.999) * step, interval: step };
	}

	// decades are the round values from min or a little less to max or a little
	// more: 1, 2 and 5 times the powers of ten, where there are few of these.
	function decades(min, max) {
		const many = Math.log10(max / min) > 3, round = [];
		for (let k = Math.floor(Math.log10(min)); k <= Math.ceil(Math.log10(max)); k++) {
			(many ? [1] : [1, 2, 5]).forEach((n) => round.push(Number((n * Math.pow(10, k)).toPrecision(6))));
		}
		const low = round.filter((v) => v <= min * 1.001).pop(), high = round.find((v) => v >= max * 0.999 && v > low);
		return { type: "log", min: low, max: high, round: round.filter((v) => v >= low && v <= high) };
	}

	// A point is x, the median, the lowest and the highest; x and a value where
	// all are the same.
	const part = (p, i) => (i < p.length ? p[i] : p[1]);
	const highest = (series, i) => Math.max(...series.flatMap((s) => s.points.map((p) => part(p, i))));
	const lowest = (series, i) => Math.min(...series.flatMap((s) => s.points.map((p) => part(p, i))));

	// A framework may be called as something is that all objects have.
	const hidden = (framework, state) => Object.prototype.hasOwnProperty.call(state.hidden, framework) && state.hidden[framework];
	const visible = (chart, state) => (chart.series || []).filter((s) => !hidden(s.framework, state)).map((s) => Object.assign({}, s, { label: plain(s.label) }));

	// ECharts keeps the widths of texts in an object, by the text: this one would
	// change the prototype of all objects.
	const plain = (text) => (text === "__proto__" ? text + "\u200b" : text);

	// A log scale has no place for zero, and shares are read from zero.
	const logarithmic = (list, unit, state) => state.log && unit !== "%" && lowest(list, 2) > 0;

	const narrow = (state) => state.width < 560;

	function axis(t, more) {
		return Object.assign({
			nameTextStyle: { color: t.faint, fontSize: 12 },
			axisLabel: { color: t.faint, fontSize: 12, hideOverlap: true },
			axisLine: { show: true, onZero: false, lineStyle: { color: t.faint } },
			axisTick: { show: false },
			splitLine: { lineStyle: { color: t.grid } },
		}, more);
	}

	// ticked has its labels and lines at these values.
	function ticked(a, at, formatter) {
		a.axisTick = Object.assign({}, a.axisTick, { customValues: at });
		a.axisLabel = Object.assign({}, a.axisLabel, { customValues: at, formatter: formatter });
		return a;
	}

	// values is the axis of a unit, from zero.
	function values(t, unit, max, more) {
		const [size, name] = unit === "ns" ? timeUnit(max) : [1, unit];
		const label = (v) => (unit === "ns" ? digits(v / size) : text(v, unit));
		const a = axis(t, Object.assign({ type: "value", name: unit === "%" ? "" : name }, steps(max / size), more));
		["min", "max", "interval"].forEach((k) => (a[k] *= size));
		a.axisLabel = Object.assign({}, a.axisLabel, { formatter: label });
		return a;
	}

	// logValues is a log axis: each label has its unit.
	function logValues(t, unit, min, max, more) {
		const d = decades(min, max);
		const a = axis(t, Object.assign({ type: d.type, min: d.min, max: d.max, name: unit === "ns" ? "" : unit }, more));
		return ticked(a, d.round, (v) => text(v, unit));
	}

	const valueAxis = (t, list, unit, state, more) =>
		logarithmic(list, unit, state) ? logValues(t, unit, lowest(list, 2), highest(list, 3), more) : values(t, unit, highest(list, 3), more);

	// ranges are the lowest and highest of the rounds, drawn as lines.
	function ranges(points, ends, colour) {
		return {
			silent: true, animation: false, symbol: ["rect", "rect"], symbolSize: [6, 1],
			label: { show: false }, lineStyle: { type: "solid", width: 1, color: colour, opacity: 0.55 },
			data: points.filter((p) => p[3] > p[2]).map((p) => ends(p).map((c) => ({ coord: c }))),
		};
	}

	function base(t, state) {
		const o = {
			animation: false, backgroundColor: state.title ? t.back : "transparent",
			textStyle: { fontFamily: "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" },
			aria: { enabled: true },
			tooltip: {
				confine: true, backgroundColor: t.back, borderColor: t.grid, textStyle: { color: t.text, fontSize: 12 },
				order: "valueDesc",
			},
		};
		if (state.title) {
			o.title = {
				text: state.title, subtext: plain(state.subtitle), left: 16, top: 12,
				textStyle: { color: t.text, fontSize: 17 }, subtextStyle: { color: t.faint, fontSize: 12 },
			};
		}
		return o;
	}

	const top = (state) => (state.title ? 92 : 34);
	const bottom = 52, row = 16; // pixels: below the plot, and of a name beside it
	const lead = 22; // pixels from the plot to the shape before a name

	function lineOption(chart, unit, state) {
		const t = theme(state), list = visible(chart, state);
		const size = { width: state.width, height: height(chart, state) };
		const names = Math.max(...list.map((s) => s.label.length)) * (narrow(state) ? 6.6 : 7.2) + lead + 18;
		const o = base(t, state);
		o.grid = { left: narrow(state) ? 50 : 58, right: Math.min(names, 0.42 * size.width), top: top(state), bottom: bottom, containLabel: false };
		o.xAxis = over(t, chart, list);
		o.yAxis = valueAxis(t, list, unit, state);
		Object.assign(o.tooltip, { trigger: "axis", valueFormatter: (v) => (v == null ? "–" : text(v, unit)) });
		o.series = list.map((s) => lineSeries(s, chart, state));
		o.graphic = endNames(o, list, size, state);
		return o;
	}

	// place says where an axis has a value, from 0 at its begin to 1.
	function place(a, v) {
		const f = a.type === "log" ? Math.log : (x) => x;
		return (f(v) - f(a.min)) / (f(a.max) - f(a.min));
	}

	// apart moves places, which are in order, so that each is a row or more
	// below the one before, all of them by as little as it takes, and keeps them
	// between low and high.
	function apart(places, low, high) {
		const groups = [];
		places.forEach((y) => {
			groups.push({ sum: y, n: 1, at: y });
			for (let g = groups[groups.length - 1], p; (p = groups[groups.length - 2]) && p.at + p.n * row > g.at; g = p) {
				groups.pop();
				p.sum += g.sum - g.n * p.n * row;
				p.n += g.n;
				p.at = p.sum / p.n;
			}
		});
		const moved = groups.flatMap((g) => Array.from({ length: g.n }, (_, i) => g.at + i * row));
		for (let i = moved.length - 1, most = high; i >= 0; i--, most -= row) moved[i] = Math.min(moved[i], most);
		for (let i = 0, least = low; i < moved.length; i++, least += row) moved[i] = Math.max(moved[i], least);
		return moved;
	}

	// endNames are the names beside the plot, each with a line to the end of its
	// own.
	function endNames(o, list, size, state) {
		const plot = { right: size.width - o.grid.right, top: o.grid.top, bottom: size.height - bottom };
		const ends = list.map((s) => {
			const p = s.points[s.points.length - 1];
			return {
				series: s, look: look(s.framework, state),
				x: o.grid.left + place(o.xAxis, p[0]) * (plot.right - o.grid.left),
				y: plot.bottom - place(o.yAxis, p[1]) * (plot.bottom - plot.top),
			};
		}).sort((a, b) => a.y - b.y);
		const ys = apart(ends.map((e) => e.y), plot.top - 10, plot.bottom + 8);
		return ends.flatMap((e, i) => endName(e, ys[i], plot, o.grid.right, state));
	}

	function endName(e, y, plot, room, state) {
		const size = narrow(state) ? 11 : 12, letters = Math.floor((room - lead - 16) / (narrow(state) ? 6.6 : 7.2));
		const name = e.series.label.length > letters + 1 ? e.series.label.slice(0, letters - 1) + "…" : e.series.label;
		const x = plot.right + lead, far = e.x + 12 < plot.right; // dotted, or it would look like more of the line
		const thin = { stroke: e.look.colour, lineWidth: 1, opacity: far ? 0.8 : 0.6, fill: "none", lineDash: far ? [1, 4] : null };
		const part = (more) => Object.assign({ silent: true, z: 5 }, more);
		return [
			part({ type: "polyline", shape: { points: [[e.x + 5, e.y], [plot.right + 4, e.y], [x - 3, y]] }, style: thin }),
			part({ type: mark(e.look.shape), x: x, y: y - 4.5, scaleX: 9 / 16, scaleY: 9 / 16, style: { fill: e.look.colour } }),
			part({ type: "text", x: x + 13, y: y, style: { text: name, fill: e.look.colour, fontSize: size, verticalAlign: "middle", fontFamily: "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" } }),
		];
	}

	// over is the axis that lines are drawn over.
	function over(t, chart, list) {
		const ticks = chart.ticks || [], at = ticks.map((k) => k.at), names = new Map(ticks.map((k) => [k.at, plain(k.name)]));
		const kinds = {
			log: () => ({ type: "log", min: at[0], max: at[at.length - 1] }),
			names: () => ({ type: "value", min: -0.2, max: at.length - 0.8 }),
			linear: () => Object.assign({ type: "value" }, steps(highest(list, 0))),
			percentile: () => ({ type: "value", min: 0, max: highest(list, 0), interval: 1 }),
		};
		const label = chart.scale === "percentile" ? percent : (v) => names.get(v) || text(v, "");
		const tick = (v) => (chart.scale === "percentile" && v % 1 ? "" : label(v));
		const a = axis(t, Object.assign({ name: chart.x, nameLocation: "middle", nameGap: 30 }, kinds[chart.scale]()));
		a.axisLabel = Object.assign({}, a.axisLabel, { formatter: tick });
		a.axisPointer = { label: { formatter: (p) => (chart.scale === "percentile" ? label(p.value) : chart.scale === "names" ? names.get(Math.round(p.value)) : label(p.value) + " " + chart.x) } };
		return ticks.length > 0 ? ticked(a, at, (v) => names.get(Number(Number(v).toPrecision(5))) || "") : a;
	}

	function lineSeries(s, chart, state) {
		const l = look(s.framework, state), curve = chart.scale === "percentile" || s.points.length > 40;
		return {
			type: "line", name: s.label, data: s.points.map((p) => [p[0], p[1]]),
			color: l.colour, symbol: "path://" + l.shape, symbolSize: 9, showSymbol: !curve, showAllSymbol: true,
			lineStyle: { width: 2, type: dashes[s.style % dashes.length], opacity: chart.scale === "names" ? 0.4 : 1 },
			emphasis: { focus: "series" },
			markLine: ranges(s.points, (p) => [[p[0], p[2]], [p[0], p[3]]], l.colour),
		};
	}

	// rowOption has a row for each series: a bar from zero, or on a log scale,
	// which has none, a shape.
	function rowOption(chart, unit, state) {
		const t = theme(state), best = unit === "calls/s" || unit === "MB/s" ? -1 : 1;
		const list = visible(chart, state).sort((a, b) => best * (a.points[0][1] - b.points[0][1]));
		const o = base(t, state), log = logarithmic(list, unit, state);
		o.grid = { left: 12, right: 24, top: state.title ? 68 : 8, bottom: chart.only ? 40 : 12, containLabel: true };
		o.yAxis = axis(t, {
			type: "category", inverse: true, data: list.map((s) => s.label), splitLine: { show: false },
			axisLabel: {
				interval: 0, formatter: (n, i) => "{name|" + n.replace(/[{|}]/g, " ") + "}  {value|" + text(list[i].points[0][1], unit) + "}",
				rich: { name: { color: t.text, fontSize: 12 }, value: { color: t.text, fontSize: 12, fontWeight: "bold", align: "right", width: 54 } },
			},
		});
		const named = { name: chart.only ? (unit === "ns" ? "" : unit + ", ") + chart.only : "" };
		o.xAxis = valueAxis(t, list, unit, state, Object.assign({ nameLocation: "middle", nameGap: 26, axisLine: { show: false } }, named));
		Object.assign(o.tooltip, { trigger: "item", valueFormatter: (v) => text(Array.isArray(v) ? v[0] : v, unit) });
		o.series = [Object.assign(log ? dots(list, state) : bars(list, state), {
			markLine: ranges(list.map((s, i) => [i].concat(s.points[0].slice(1))), (p) => [[p[2], p[0]], [p[3], p[0]]], t.text),
		})];
		return o;
	}

	const bars = (list, state) => ({
		type: "bar", barMaxWidth: 16, barCategoryGap: "25%",
		data: list.map((s) => ({ value: s.points[0][1], name: s.label, itemStyle: { color: look(s.framework, state).colour } })),
	});

	function dots(list, state) {
		return {
			type: "scatter", symbolSize: 11,
			data: list.map((s, i) => {
				const l = look(s.framework, state);
				return { value: [s.points[0][1], i], name: s.label, symbol: "path://" + l.shape, itemStyle: { color: l.colour, opacity: 1 } };
			}),
		};
	}

	// kinds are the series of a stacked chart: one for each kind of pieces, with
	// a value for each bar that has it.
	const kinds = (chart, list) => chart.ticks.map((k) => ({
		at: k.at, name: k.name,
		values: list.map((s) => (s && s.points.find((p) => p[0] === k.at) || [k.at, null])[1]),
	}));

	// stacks are the bars of a stacked chart, and null between those of two
	// variants.
	const stacks = (chart, state) => visible(chart, state).flatMap((s, i, all) =>
		i > 0 && (s.framework !== all[i - 1].framework || s.style !== all[i - 1].style) ? [null, s] : [s]);
	const sum = (s) => s.points.reduce((sum, p) => sum + p[1], 0);

	const item = 102, line = 22; // pixels of a name in a legend
	const legend = (chart, state) => Math.ceil(chart.ticks.length / Math.max(1, Math.floor((state.width - 16) / item))) * line;
	const stackTop = (state) => (state.title ? 68 : 8) + 8;
	const stackHeight = (chart, state) => stacks(chart, state).length * (narrow(state) ? 30 : 24) + stackTop(state) + legend(chart, state) + 40;

	// shortened leaves out what is before the last word, if a name has more letters.
	function shortened(name, letters) {
		const last = name.slice(name.lastIndexOf(" "));
		return name.length <= letters ? name : name.slice(0, Math.max(1, letters - last.length - 1)) + "…" + last;
	}

	// stackNames is the axis of bars: each with its name and its sum, below each
	// other where there is little room.
	function stackNames(t, list, letters, unit, state) {
		const font = { color: t.text, fontSize: narrow(state) ? 11 : 12, lineHeight: 13 }, between = narrow(state) ? "\n" : "  ";
		return axis(t, {
			type: "category", inverse: true, data: list.map((s) => (s ? s.label : "")), splitLine: { show: false },
			axisLabel: {
				interval: 0, formatter: (n, i) => (list[i] ? "{name|" + shortened(n, letters).replace(/[{|}]/g, " ") + "}" + between + "{value|" + text(sum(list[i]), unit) + "}" : ""),
				rich: { name: font, value: Object.assign({ fontWeight: "bold", align: "right", width: 54 }, font) },
			},
		});
	}

	// stackOption has a bar for each series, of pieces that are its points. A
	// piece has its name where it has room.
	function stackOption(chart, unit, state) {
		const t = theme(state), list = stacks(chart, state), o = base(t, state);
		const bars = list.filter((s) => s), longest = Math.max(...bars.map((s) => s.label.length));
		const letter = narrow(state) ? 6.2 : 6.8, more = narrow(state) ? 14 : 76; // pixels, beside the letters
		const letters = Math.min(longest, Math.floor((0.5 * state.width - more) / letter));
		o.grid = { left: letters * letter + more, right: 24, top: stackTop(state) + legend(chart, state), bottom: 40, containLabel: false };
		o.yAxis = stackNames(t, list, letters, unit, state);
		o.xAxis = values(t, unit, Math.max(...bars.map(sum)), { nameLocation: "middle", nameGap: 24, axisLine: { show: false } });
		o.legend = {
			left: 4, top: stackTop(state) - 8, width: state.width - 24, itemWidth: 12, itemHeight: 12, itemGap: 8, selectedMode: false, icon: "rect",
			formatter: (n) => "{name|" + n + "}", textStyle: { rich: { name: { color: t.text, fontSize: 12, width: item - 26, lineHeight: line - 8 } } },
		};
		Object.assign(o.tooltip, { trigger: "item", valueFormatter: (v) => text(v, unit) });
		const pixels = (v) => (v / o.xAxis.max) * (state.width - o.grid.left - o.grid.right);
		o.series = kinds(chart, list).map((k) => ({
			type: "bar", stack: "all", barWidth: 20, name: k.name, data: k.values, emphasis: { focus: "series" },
			itemStyle: { color: t.pieces[k.at % t.pieces.length], borderColor: state.title ? t.back : t.card, borderWidth: narrow(state) ? 0.5 : 1 },
			label: {
				show: true, fontSize: 11, color: k.at % 2 ? "#000000" : "#ffffff",
				formatter: (p) => (pixels(p.value) > k.name.length * 6.2 + 6 ? k.name : ""),
			},
		}));
		return o;
	}

	// height is what a chart needs, in pixels.
	function height(chart, state) {
		if (chart.stacked) return stackHeight(chart, state);
		const n = visible(chart, state).length;
		if (chart.bars) return n * 24 + (state.title ? 84 : 24) + (chart.only ? 28 : 12);
		return Math.max(state.title ? 440 : 340, n * row + top(state) + bottom);
	}

	return {
		look: look,
		hidden: hidden,
		shapes: shapes,
		themes: themes,
		apart: apart,
		// option is what ECharts draws of a chart; null where there is nothing.
		option: (chart, unit, state) =>
			visible(chart, state).length === 0 ? null : (chart.stacked ? stackOption : chart.bars ? rowOption : lineOption)(chart, unit, state),
		height: height,
	};
})();
