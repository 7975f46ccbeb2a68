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

	function draw(el) {
		const section = report.sections[el.dataset.section], figure = section.figures[el.dataset.figure];
		const chart = figure.charts[section.shown || 0];
		const own = Object.assign({}, state, { width: el.clientWidth, wide: el.clientWidth >= narrow });
		const option = charts.option(chart, figure.unit, own);
		el.parentElement.classList.toggle("empty", !option);
		if (!option) return;
		el.style.height = charts.height(chart, own) + "px";
		const drawn = echarts.getInstanceByDom(el) || echarts.init(el, null, { renderer: "svg" });
		drawn.resize();
		drawn.setOption(option, true);
	}

	const all = (selector) => Array.from(document.querySelectorAll(selector));
	const drawAll = () => all(".chart").forEach(draw);

	// show draws the panel of a section, and lists what is to be said of it.
	function show(i, panel) {
		const section = report.sections[i];
		section.shown = panel;
		all(".chart").filter((el) => el.dataset.section === String(i)).forEach(draw);
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
			drawAll();
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
		document.documentElement.dataset.theme = dark ? "dark" : "light";
		document.getElementById("dark").checked = dark;
		paintChips();
	}

	function setTheme(dark) {
		wear(dark);
		drawAll();
	}

	document.getElementById("legend").append(...report.frameworks.map(chip));
	all("select").forEach((el) => el.addEventListener("change", () => show(Number(el.dataset.section), Number(el.value))));
	document.getElementById("log").addEventListener("change", (e) => {
		state.log = e.target.checked;
		drawAll();
	});
	document.getElementById("dark").addEventListener("change", (e) => setTheme(e.target.checked));
	scheme.addEventListener("change", (e) => setTheme(e.matches));
	let resized;
	addEventListener("resize", () => {
		clearTimeout(resized);
		resized = setTimeout(drawAll, 100);
	});
	wear(state.dark);
	report.sections.forEach((_, i) => show(i, 0));
	document.documentElement.dataset.ready = Math.round(performance.now()); // ms after it was opened
})();
