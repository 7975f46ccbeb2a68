// The page: one state, from which all charts are drawn anew when it changes.
(async () => {
	"use strict";
	const report = await unpack(document.getElementById("data").textContent);
	report.frameworks = report.frameworks || []; // a text of serializers has none
	const scheme = matchMedia("(prefers-color-scheme: dark)");
	const state = { frameworks: report.frameworks, ranks: report.ranks, hidden: Object.create(null), dark: scheme.matches, log: true };
	(report.hidden || []).forEach((framework) => (state.hidden[framework] = true));

	// unpack reads JSON that was compressed by gzip and written in base64.
	async function unpack(text) {
		const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
		return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
	}

	// plan is what a chart's place shows now; its height is set at once, so that
	// nothing moves when it is drawn.
	function plan(el) {
		const section = report.sections[el.dataset.section], figure = section.figures[el.dataset.figure];
		const chart = figure.charts[section.shown];
		el.parentElement.classList.remove("empty"); // or it has no width
		const own = Object.assign({}, state, { width: el.clientWidth });
		el.style.height = charts.height(chart, own) + "px";
		return charts.option(chart, figure.unit, own);
	}

	function draw(el) {
		const option = plan(el);
		el.parentElement.classList.toggle("empty", !option);
		if (!option) return;
		const drawn = echarts.getInstanceByDom(el) || echarts.init(el, null, { renderer: "svg" });
		drawn.resize();
		drawn.setOption(option, true);
	}

	const all = (selector) => Array.from(document.querySelectorAll(selector));
	const inView = (el) => el.getBoundingClientRect().top < innerHeight && el.getBoundingClientRect().bottom > 0;
	const root = document.documentElement.dataset;
	let waiting = [];

	// redraw draws what is in view at once, and the rest one by one after it.
	function redraw(list) {
		delete root.drawn;
		list.forEach(plan);
		const idle = waiting.length === 0;
		waiting = waiting.filter((el) => !list.includes(el)).concat(list.filter((el) => !inView(el)));
		list.filter(inView).forEach(draw);
		if (idle) setTimeout(drawNext);
	}

	function drawNext() {
		if (waiting.length > 0) draw(waiting.shift());
		if (waiting.length > 0) setTimeout(drawNext);
		else root.drawn = "yes";
	}

	const redrawAll = () => redraw(all(".chart"));

	// rounds says how the rounds of a section's panel are summed up.
	function rounds(section, panel) {
		const list = section.figures.map((f) => f.charts[panel]), n = Math.max(...list.map((c) => c.rounds));
		if (section.id === "percentiles" || n < 2) return "";
		if (list.some((c) => c.stacked)) return `Means of ${n} rounds.`;
		return `Medians of ${n} rounds; thin lines go from ${section.id === "capacity" ? "the lowest end of an interval to the highest" : "the lowest to the highest"}.`;
	}

	// show turns a section to a panel.
	function show(i, panel) {
		const section = report.sections[i];
		section.shown = panel;
		document.querySelector(`#${section.id} .rounds`).textContent = rounds(section, panel);
	}

	function element(name, text) {
		const el = document.createElement(name);
		el.textContent = text;
		return el;
	}

	function chip(framework) {
		const rank = { ours: " (ours)", reference: " (bare bytes)" }[report.ranks[report.frameworks.indexOf(framework)]] || "";
		const label = document.createElement("label"), box = document.createElement("input");
		box.type = "checkbox";
		box.checked = !charts.hidden(framework, state);
		box.dataset.framework = framework;
		box.addEventListener("change", () => {
			state.hidden[framework] = !box.checked;
			redrawAll();
		});
		const glyph = document.createElementNS("http://www.w3.org/2000/svg", "svg"), path = document.createElementNS(glyph.namespaceURI, "path");
		glyph.setAttribute("viewBox", "0 0 16 16");
		glyph.setAttribute("aria-hidden", "true");
		glyph.append(path);
		label.append(box, glyph, element("span", framework + rank), element("small", report.codecs[report.frameworks.indexOf(framework)]));
		return label;
	}

	function paintChips() {
		all("#legend label").forEach((label) => {
			const l = charts.look(label.querySelector("input").dataset.framework, state), path = label.querySelector("path");
			path.setAttribute("d", l.shape);
			path.setAttribute("fill", l.colour);
		});
	}

	// wear dresses all but the charts in a theme.
	function wear(dark) {
		state.dark = dark;
		root.theme = dark ? "dark" : "light";
		document.getElementById("dark").checked = dark;
		paintChips();
	}

	function setTheme(dark) {
		wear(dark);
		redrawAll();
	}

	// hint marks tables that are wider than the page, which CSS then says.
	const hint = () => all(".scroll").forEach((el) => el.classList.toggle("wide", el.scrollWidth > el.clientWidth + 1));

	hint();
	all("details").forEach((el) => el.addEventListener("toggle", hint));
	if (!report.sections) {
		root.drawn = "yes";
		return;
	}
	document.getElementById("legend").append(...report.frameworks.map(chip));
	all("select").forEach((el) => el.addEventListener("change", () => {
		show(Number(el.dataset.section), Number(el.value));
		redraw(all(`#${report.sections[el.dataset.section].id} .chart`));
	}));
	document.getElementById("log").addEventListener("change", (e) => {
		state.log = e.target.checked;
		redrawAll();
	});
	document.getElementById("dark").addEventListener("change", (e) => setTheme(e.target.checked));
	scheme.addEventListener("change", (e) => setTheme(e.matches));
	let resized;
	addEventListener("resize", () => {
		clearTimeout(resized);
		resized = setTimeout(() => { hint(); redrawAll(); }, 100);
	});
	wear(state.dark);
	report.sections.forEach((s, i) => show(i, Number((document.querySelector(`#${s.id} select`) || { value: 0 }).value)));
	redrawAll();
	root.ready = Math.round(performance.now()); // ms after it was opened
})();
