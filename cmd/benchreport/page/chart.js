// Charts as options of ECharts. Nothing here knows the page: the pictures that
// -svg writes are made by the same lines.
//
// state: frameworks (all names, in their order), hidden (name → true), dark,
// log (lines on a log scale), width in pixels, wide (room for names beside
// lines), and for pictures title and subtitle.
const charts = (() => {
	"use strict";

	// Each colour stands 3:1 or more against its background, and neighbours
	// differ in lightness as well, for those who do not see their hues; with
	// each comes a symbol of its own.
	const themes = {
		light: {
			text: "#1f2328", faint: "#59636e", grid: "#dde2e8", back: "#ffffff",
			colours: ["#0072b2", "#d55e00", "#00805d", "#b3589a", "#7a5c00", "#2b93d1", "#8b1e3f", "#4b3fb5", "#5f7d1c"],
		},
		dark: {
			text: "#e6edf3", faint: "#9aa4b0", grid: "#30363d", back: "#0d1117",
			colours: ["#4aa8ff", "#ff8a3d", "#2fcf9f", "#f09bd9", "#e3c04f", "#9bdcff", "#ff7d9c", "#a99bff", "#b7d957"],
		},
	};
	const symbols = ["circle", "rect", "triangle", "diamond", "emptyCircle", "emptyRect", "emptyTriangle", "emptyDiamond"];
	const glyphs = ["●", "■", "▲", "◆", "○", "□", "△", "◇"];
	const dashes = ["solid", "dashed", "dotted", [9, 3, 2, 3]];
	const reference = "tcp"; // neither coloured nor counted: the floor of every chart

	const theme = (state) => (state.dark ? themes.dark : themes.light);

	// look is how a framework is drawn in all charts.
	function look(framework, state) {
		const t = theme(state);
		if (framework === reference) return { colour: t.faint, symbol: "emptyCircle", glyph: "○" };
		const i = state.frameworks.filter((f) => f !== reference).indexOf(framework);
		return { colour: t.colours[i % t.colours.length], symbol: symbols[i % symbols.length], glyph: glyphs[i % glyphs.length] };
	}

	// digits writes v with three digits.
	const digits = (v) => String(Number(v.toPrecision(3)));

	// text writes a value with its unit.
	function text(v, unit) {
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

	const decades = (min, max) => ({
		type: "log", min: Math.pow(10, Math.floor(Math.log10(min))), max: Math.pow(10, Math.ceil(Math.log10(max))),
	});

	// A point is x, the median, the lowest and the highest; x and a value where
	// all are the same.
	const part = (p, i) => (i < p.length ? p[i] : p[1]);
	const highest = (series, i) => Math.max(...series.flatMap((s) => s.points.map((p) => part(p, i))));
	const lowest = (series, i) => Math.min(...series.flatMap((s) => s.points.map((p) => part(p, i))));

	const visible = (chart, state) => (chart.series || []).filter((s) => !state.hidden[s.framework]);

	function axis(t, more) {
		return Object.assign({
			nameTextStyle: { color: t.faint, fontSize: 12 },
			axisLabel: { color: t.faint, fontSize: 12, hideOverlap: true },
			axisLine: { show: true, lineStyle: { color: t.faint } },
			axisTick: { show: false },
			splitLine: { lineStyle: { color: t.grid } },
		}, more);
	}

	// values is the axis of a unit, up to max.
	function values(t, unit, max, more) {
		const [size, name] = unit === "ns" ? timeUnit(max) : [1, unit];
		const label = (v) => (unit === "ns" ? digits(v / size) : text(v, unit));
		const a = axis(t, Object.assign({ type: "value", name: name }, steps(max / size), more));
		["min", "max", "interval"].forEach((k) => (a[k] *= size));
		a.axisLabel = Object.assign({}, a.axisLabel, { formatter: label });
		return a;
	}

	// logValues is a log axis: each label has its unit.
	function logValues(t, unit, min, max) {
		const a = axis(t, Object.assign({ name: unit === "ns" ? "" : unit }, decades(min, max)));
		a.axisLabel = Object.assign({}, a.axisLabel, { formatter: (v) => text(v, unit) });
		return a;
	}

	const warning = (s) => (s.warned ? " ⚠\uFE0E" : "");

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
				text: state.title, subtext: state.subtitle, left: 16, top: 12,
				textStyle: { color: t.text, fontSize: 17 }, subtextStyle: { color: t.faint, fontSize: 12 },
			};
		}
		return o;
	}

	const top = (state) => (state.title ? 92 : 34);

	function lineOption(chart, unit, state) {
		const t = theme(state), list = visible(chart, state);
		const names = Math.max(...list.map((s) => s.label.length + 2)) * 6.6 + 12;
		const right = state.wide ? Math.min(names, 210) : 18;
		const o = base(t, state);
		o.grid = { left: 58, right: right, top: top(state), bottom: 52, containLabel: false };
		o.xAxis = over(t, chart, list);
		o.yAxis = state.log ? logValues(t, unit, lowest(list, 2), highest(list, 3)) : values(t, unit, highest(list, 3));
		Object.assign(o.tooltip, { trigger: "axis", valueFormatter: (v) => (v == null ? "–" : text(v, unit)) });
		o.series = list.map((s) => lineSeries(s, chart, state));
		// Curves end at different places: their names stand below each other.
		if (chart.scale === "percentile") o.series.forEach((s) => (s.labelLayout.x = state.width - right + 8));
		return o;
	}

	// over is the axis that lines are drawn over.
	function over(t, chart, list) {
		const kinds = {
			log: () => decades(lowest(list, 0), highest(list, 0)),
			linear: () => Object.assign({ type: "value" }, steps(highest(list, 0))),
			percentile: () => ({ type: "value", min: 0, max: highest(list, 0), interval: 1 }),
		};
		const label = chart.scale === "percentile" ? percent : (v) => text(v, "");
		const tick = (v) => (chart.scale === "percentile" && v % 1 ? "" : label(v));
		const a = axis(t, Object.assign({ name: chart.x, nameLocation: "middle", nameGap: 30 }, kinds[chart.scale]()));
		a.axisLabel = Object.assign({}, a.axisLabel, { formatter: tick });
		a.axisPointer = { label: { formatter: (p) => (chart.scale === "percentile" ? label(p.value) : label(p.value) + " " + chart.x) } };
		return a;
	}

	function lineSeries(s, chart, state) {
		const l = look(s.framework, state), curve = chart.scale === "percentile";
		return {
			type: "line", name: s.label + warning(s), data: s.points.map((p) => [p[0], p[1]]),
			color: l.colour, symbol: l.symbol, symbolSize: 8, showSymbol: !curve,
			lineStyle: { width: 2, type: dashes[s.style % dashes.length] },
			endLabel: { show: state.wide, formatter: "{a}", color: l.colour, fontSize: 12, lineHeight: 17, distance: 8 },
			labelLayout: { moveOverlap: "shiftY", hideOverlap: true },
			emphasis: { focus: "series" },
			markLine: ranges(s.points, (p) => [[p[0], p[2]], [p[0], p[3]]], l.colour),
		};
	}

	function barOption(chart, unit, state) {
		const t = theme(state), best = unit === "ns" ? 1 : -1;
		const list = visible(chart, state).sort((a, b) => best * (a.points[0][1] - b.points[0][1]));
		const name = (s) => s.label + warning(s);
		const o = base(t, state);
		o.grid = { left: 12, right: 24, top: state.title ? 68 : 8, bottom: 40, containLabel: true };
		o.yAxis = axis(t, {
			type: "category", inverse: true, data: list.map(name), splitLine: { show: false },
			axisLabel: {
				interval: 0, formatter: (n, i) => "{name|" + n.replace(/[{|}]/g, " ") + "}  {value|" + text(list[i].points[0][1], unit) + "}",
				rich: { name: { color: t.text, fontSize: 12 }, value: { color: t.text, fontSize: 12, fontWeight: "bold", align: "right", width: 54 } },
			},
		});
		o.xAxis = values(t, unit, highest(list, 3), { nameLocation: "middle", nameGap: 26, axisLine: { show: false } });
		Object.assign(o.tooltip, { trigger: "item", valueFormatter: (v) => text(v, unit) });
		o.series = [{
			type: "bar", barMaxWidth: 16, barCategoryGap: "25%",
			data: list.map((s) => ({ value: s.points[0][1], name: name(s), itemStyle: { color: look(s.framework, state).colour } })),
			markLine: ranges(list.map((s, i) => [i].concat(s.points[0].slice(1))), (p) => [[p[2], p[0]], [p[3], p[0]]], t.text),
		}];
		return o;
	}

	return {
		look: look,
		// option is what ECharts draws of a chart; null where there is nothing.
		option: (chart, unit, state) =>
			visible(chart, state).length === 0 ? null : (chart.bars ? barOption : lineOption)(chart, unit, state),
		// height is what a chart needs, in pixels.
		height: (chart, state) => (chart.bars ? visible(chart, state).length * 24 + (state.title ? 112 : 52) : state.title ? 440 : 340),
	};
})();
