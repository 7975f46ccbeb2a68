// The page: one state, from which all charts are drawn anew when it changes.
(async () => {
	"use strict";
	const report = await unpack(document.getElementById("data").textContent);
	const scheme = matchMedia("(prefers-color-scheme: dark)");
	const state = { frameworks: report.frameworks, hidden: {}, dark: scheme.matches, log: false, wide: true };
	(report.hidden || []).forEach((framework) => (state.hidden[framework] = true));
	const narrow = 560; // pixels of a chart that has no room for names

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
		const own = Object.assign({}, state, { width: el.clientWidth, wide: el.clientWidth >= narrow });
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

	// show turns a section to a panel, and lists what is to be said of it.
	function show(i, panel) {
		const section = report.sections[i];
		section.shown = panel;
		list(document.querySelector(`#${section.id} .doubts`), section.panels[panel].notes || []);
		const rounds = Math.max(...section.figures.map((f) => f.charts[panel].rounds));
		document.querySelector(`#${section.id} .rounds`).textContent =
			section.id === "percentiles" || rounds < 2 ? "" : `Medians of ${rounds} rounds; thin lines go from the lowest to the highest.`;
	}

	const few = 4; // notes that are shown unasked

	function list(el, notes) {
		el.hidden = notes.length === 0;
		el.open = notes.length <= few;
		el.querySelector("summary").textContent = `⚠\uFE0E ${notes.length} ${notes.length === 1 ? "warning" : "warnings"}`;
		el.querySelector("ul").replaceChildren(...notes.map((note) => element("li", note)));
	}

	function element(name, text) {
		const el = document.createElement(name);
		el.textContent = text;
		return el;
	}

	function chip(framework) {
		const label = document.createElement("label"), box = document.createElement("input");
		box.type = "checkbox";
		box.checked = !state.hidden[framework];
		box.dataset.framework = framework;
		box.addEventListener("change", () => {
			state.hidden[framework] = !box.checked;
			redrawAll();
		});
		const glyph = element("span", "");
		glyph.className = "glyph";
		label.append(box, glyph, element("span", framework));
		return label;
	}

	function paintChips() {
		all("#legend label").forEach((label) => {
			const l = charts.look(label.querySelector("input").dataset.framework, state), glyph = label.querySelector(".glyph");
			glyph.textContent = l.glyph;
			glyph.style.color = l.colour;
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
		resized = setTimeout(redrawAll, 100);
	});
	wear(state.dark);
	report.sections.forEach((_, i) => show(i, 0));
	redrawAll();
	root.ready = Math.round(performance.now()); // ms after it was opened
})();
