// Draws the diagrams of the report from the data that each one carries. Nothing is computed here but places on paper.
(function () {
  "use strict";

  const PRINT_WIDTH = { samples: 680, against: 330, histogram: 330, tail: 330 }; // px; scaled to the column in print
  const PRINT_SMALL = { 3: { samples: 336, histogram: 164, tail: 164 }, 4: 164 }; // by the number of diagrams in a row
  const PRINT_DETAIL = 1.6; // pixels drawn for each px on paper: about 150 dots per inch
  const DOT = 2.2; // px
  const made = new Map(); // element -> chart

  function floats(text) {
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    const view = new DataView(bytes.buffer);
    return Float64Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
  }

  function colours() {
    const style = getComputedStyle(document.documentElement);
    const name = (key) => style.getPropertyValue(key).trim();
    return { ink: name("--plot-ink"), bar: name("--plot-bar"), grid: name("--plot-grid"), text: name("--plot-text") };
  }

  const PAPER = { ink: "#1f5f99", bar: "#6f9cc4", grid: "#e2e6ea", text: "#44525f" };

  // ---- axes ------------------------------------------------------------------------------------------------------

  function number(value, digits) {
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-4 || size >= 1e7)) {
      const [mantissa, exponent] = value.toExponential(2).split("e");
      const power = [...String(Number(exponent))].map((c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]).join("");
      return Number(mantissa) === 1 ? "10" + power : Number(mantissa) + "·10" + power;
    }
    return String(Number(value.toPrecision(digits || 6))).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, "\u202f");
  }

  function apart(splits) { // digits that tell labels from each other: a run may begin late and take microseconds
    if (splits.length < 2) return 6;
    const step = Math.abs(splits[1] - splits[0]), size = Math.max(...splits.map(Math.abs));
    return step > 0 ? Math.min(15, Math.max(6, 2 + Math.floor(Math.log10(size)) - Math.floor(Math.log10(step)))) : 6;
  }

  function logSplits(u, axis, min, max) {
    const decades = Math.log10(max / min);
    const steps = decades > 5 ? [1] : decades > 1.6 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9];
    const found = [];
    for (let e = Math.floor(Math.log10(min)); e <= Math.ceil(Math.log10(max)); e++)
      for (const step of steps) {
        const value = Number((step * Math.pow(10, e)).toPrecision(3));
        if (value >= min && value <= max) found.push(value);
      }
    return found;
  }

  function rank(value) { // 0: a power of ten, 1: two or five of it, 2: any other
    const first = value.toExponential(2).slice(0, 4);
    return first === "1.00" ? 0 : first === "2.00" || first === "5.00" ? 1 : 2;
  }

  function sparse(u, splits, axis, log, k) { // labels that would touch are left out, the roundest first to stay
    const scale = u.axes[axis].scale, gap = (axis === 0 ? 52 : 15) * k;
    const order = splits.map((_, i) => i);
    if (log) order.sort((a, b) => rank(splits[a]) - rank(splits[b]) || a - b);
    const kept = new Map();
    for (const i of order) {
      const place = u.valToPos(splits[i], scale);
      if ([...kept.values()].every((other) => Math.abs(other - place) >= gap)) kept.set(i, place);
    }
    return splits.map((value, i) => (kept.has(i) ? value : null));
  }

  function padded(log, low) {
    return (u, min, max) => {
      if (min == null) return [log ? 1 : 0, log ? 10 : 1];
      if (log) {
        const pad = Math.max(Math.pow(max / min, 0.05), 1.05);
        return [min / pad, max * pad];
      }
      const pad = (max - min || Math.abs(max) || 1) * 0.06;
      return [low != null && min >= low && min - pad < low ? low : min - pad, max + pad];
    };
  }

  // ---- what is drawn -----------------------------------------------------------------------------------------------

  function clip(u, draw) {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    draw(ctx, bbox);
    ctx.restore();
  }

  function dots(size, colour) {
    return (u) => clip(u, (ctx) => {
      const px = size * devicePixelRatio;
      ctx.fillStyle = colour;
      const [xs, ys] = u.data;
      for (let i = 0; i < xs.length; i++) {
        const x = u.valToPos(xs[i], "x", true), y = u.valToPos(ys[i], "y", true);
        ctx.fillRect(x - px / 2, y - px / 2, px, px);
      }
    });
  }

  function bars(ends, colour) {
    return (u) => clip(u, (ctx, bbox) => {
      const base = bbox.top + bbox.height;
      ctx.fillStyle = colour;
      const [from, count] = u.data;
      for (let i = 0; i < from.length; i++) {
        const a = u.valToPos(from[i], "x", true), b = u.valToPos(ends[i], "x", true);
        const y = u.valToPos(count[i], "y", true);
        const width = Math.max(b - a - (b - a > 4 ? 1 : 0), 1.5);
        ctx.fillRect(a, y, width, base - y);
      }
    });
  }

  function steps(colour, k) {
    return (u) => clip(u, (ctx) => {
      ctx.strokeStyle = colour;
      ctx.lineWidth = 1.5 * k * devicePixelRatio;
      ctx.beginPath();
      const [xs, ys] = u.data;
      let level = null;
      for (let i = 0; i < xs.length; i++) {
        const x = u.valToPos(xs[i], "x", true), y = u.valToPos(ys[i], "y", true);
        if (level === null) ctx.moveTo(x, y);
        else { ctx.lineTo(x, level); ctx.lineTo(x, y); }
        level = y;
      }
      ctx.stroke();
      ctx.fillStyle = colour;
      const px = 3 * k * devicePixelRatio;
      for (let i = Math.max(0, xs.length - 10); i < xs.length; i++)
        ctx.fillRect(u.valToPos(xs[i], "x", true) - px / 2, u.valToPos(ys[i], "y", true) - px / 2, px, px);
    });
  }

  // ---- one chart ---------------------------------------------------------------------------------------------------

  function draw(element, paper) {
    drop(element);
    const data = element.dataset, plot = data.plot;
    const x0 = Number(data.x0 || 0);
    const x = floats(data.x).map((value) => value + x0), y = floats(data.y);
    const log = (element.log ?? data.log === "1") === true;
    const overTime = plot === "samples", against = plot === "against", counted = plot === "histogram", tail = plot === "tail";
    const colour = paper ? PAPER : colours();
    const k = paper ? PRINT_DETAIL : 1, tiny = paper && element.closest(".row.small, .row.notes, .row.beside") ? 0.72 : 1;
    const font = `${Math.round(11 * tiny * k)}px system-ui, sans-serif`;
    const logX = (counted || tail) && log, logY = counted || tail || log;
    const ends = counted ? floats(data.z) : null;
    const paint = counted ? bars(ends, colour.bar) : tail ? steps(colour.ink, k) : dots(DOT * k, colour.ink);
    const width = paper ? Math.round(paperWidth(element, plot) * k) : Math.floor(element.clientWidth);
    const height = paper ? Math.round(paperHeight(element, overTime) * k) : Math.floor(element.clientHeight);
    const bottom = counted ? Math.min(...y, 1) * 0.7 : null;
    const readout = element.parentElement.querySelector(".readout");

    function axis(isLog, label, side) {
      return {
        label, side, labelSize: 16 * tiny * k, labelGap: 0, labelFont: font, font,
        stroke: colour.text, gap: 3 * k, size: (side === 3 ? 52 : 26) * tiny * k,
        grid: { stroke: colour.grid, width: 1 }, ticks: { stroke: colour.grid, width: 1, size: 4 * k },
        values: (u, splits) => {
          const digits = isLog ? 6 : apart(splits.filter((v) => v != null));
          return splits.map((v) => (v == null ? "" : number(v, digits)));
        },
        filter: (u, splits, index) => sparse(u, splits, index, isLog, k * tiny),
        ...(isLog ? { splits: logSplits } : {}),
      };
    }

    const shared = data.most ? [Number(data.low), Number(data.high)] : null; // the axes of neighbours are the same
    const end = counted ? Math.max(...ends) : null;
    const chart = new uPlot({
      width, height,
      legend: { show: false },
      padding: [8 * k, 14 * k, 0, 0],
      cursor: { points: { show: false }, y: false, drag: { x: !shared, y: false, uni: 12 } },
      scales: {
        x: { time: false, distr: logX ? 3 : 1, log: 10,
          range: (u, min, max) => {
            const whole = shared || min === x[0] && max === x[x.length - 1];
            if (whole && counted) max = end;
            if (shared) [min, max] = shared;
            const pad = whole ? 0.01 : 0;
            if (logX) return max > min * 1.0001 ? [min / Math.pow(max / min, pad), max * Math.pow(max / min, pad)] : [min / 1.5, max * 1.5];
            const room = max > min ? (max - min) * pad : (Math.abs(min) || 1) * 0.05;
            return [min - room, max + room];
          } },
        y: { distr: logY ? 3 : 1, log: 10,
          range: counted ? (u, min, max) => [bottom, Math.max(shared ? Number(data.most) : max || 1, 1) * 1.6] : padded(logY, 0) },
      },
      series: [{}, { paths: () => null, points: { show: false } }],
      axes: [axis(logX, data.xlabel, 2), axis(logY, data.ylabel, 3)],
      hooks: {
        draw: [paint],
        setCursor: [(u) => {
          const i = u.cursor.idx;
          if (!readout) return;
          if (i == null || u.cursor.left < 0) readout.textContent = "";
          else readout.textContent = counted
            ? `${number(x[i])} to ${number(ends[i])}: ${number(y[i])}`
            : overTime ? `${x[i].toFixed(6)} s: ${number(y[i])}` : `${number(x[i])}: ${number(y[i])}`;
        }],
      },
    }, [x, y], element);
    made.set(element, chart);
    element.classList.add("drawn");
    toggle(element, log, !shared && (Math.min(...(overTime || against ? y : x)) > 0));
  }

  function paperWidth(element, plot) {
    if (element.closest(".row.notes, .row.beside")) return 160;
    const row = element.closest(".row.small");
    if (!row) return PRINT_WIDTH[plot];
    const widths = PRINT_SMALL[row.children.length] || PRINT_WIDTH;
    return widths[plot] || widths;
  }

  function paperHeight(element, overTime) {
    return element.closest(".row.small, .row.notes, .row.beside") ? 112 : overTime ? 170 : 155;
  }

  function drop(element) {
    const chart = made.get(element);
    if (chart) { chart.destroy(); made.delete(element); }
    element.replaceChildren();
  }

  function toggle(element, log, possible) {
    const button = element.parentElement.querySelector("button.axis");
    button.hidden = !possible;
    button.textContent = log ? "linear" : "logarithmic";
    button.title = "value axis: show it " + (log ? "linear" : "logarithmic");
    button.onclick = () => { element.log = !log; draw(element, false); };
  }

  function attempt(element, paper) {
    try { draw(element, paper); } catch (error) {
      element.classList.add("failed");
      element.textContent = "This diagram could not be drawn: " + error.message;
    }
  }

  // ---- when --------------------------------------------------------------------------------------------------------

  const all = [...document.querySelectorAll(".canvas[data-plot]")];
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting && !made.has(entry.target)) attempt(entry.target, false);
  }, { rootMargin: "600px 0px" });
  all.forEach((element) => near.observe(element));

  const sized = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const chart = made.get(target);
      if (chart && !printing && Math.floor(target.clientWidth) !== chart.width)
        chart.setSize({ width: Math.floor(target.clientWidth), height: Math.floor(target.clientHeight) });
    }
  });
  all.forEach((element) => sized.observe(element));

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    if (!printing) [...made.keys()].forEach((element) => attempt(element, false));
  });

  let printing = false, seen = [];
  addEventListener("beforeprint", () => {
    if (printing) return;
    printing = true;
    seen = [...made.keys()];
    all.forEach((element) => attempt(element, true));
  });
  addEventListener("afterprint", () => {
    printing = false;
    all.forEach(drop);
    seen.forEach((element) => attempt(element, false));
  });
})();
