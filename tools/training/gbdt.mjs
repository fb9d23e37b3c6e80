// Gradient-boosted trees of fixed depth with logistic loss, on binned features: small, deterministic, no dependency.

const binCount = 48

const random = (seed) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Bin edges of each feature (at most 63, by quantiles) and the binned columns. `rows`: Float32Array rows x width. */
export const binned = (values, width) => {
  const count = values.length / width
  const edges = []
  const columns = []
  for (let f = 0; f < width; f++) {
    const step = Math.max(1, Math.floor(count / 20000))
    const sample = []
    for (let row = 0; row < count; row += step) sample.push(values[row * width + f])
    sample.sort((a, b) => a - b)
    const unique = [...new Set(sample)]
    let cuts
    if (unique.length <= binCount) cuts = unique.slice(0, -1).map((value, i) => (value + unique[i + 1]) / 2)
    else {
      cuts = []
      for (let b = 1; b < binCount; b++) {
        const value = sample[Math.floor((b * sample.length) / binCount)]
        if (cuts.length === 0 || value > cuts.at(-1)) cuts.push(value)
      }
    }
    const column = new Uint8Array(count)
    for (let row = 0; row < count; row++) {
      const value = values[row * width + f]
      let low = 0
      let high = cuts.length
      while (low < high) {
        const mid = (low + high) >> 1
        if (value > cuts[mid]) low = mid + 1
        else high = mid
      }
      column[row] = low
    }
    edges.push(cuts)
    columns.push(column)
  }
  return { edges, columns }
}

/** Trains on the rows given; `labels` in 0..1, `weights` for each row. */
export const train = ({ edges, columns }, labels, weights, rows, options) => {
  const { trees, depth, rate, rowShare, columnShare, lambda, minWeight, seed } = options
  const next = random(seed)
  const width = columns.length
  const count = labels.length
  const margin = new Float64Array(count)
  let positive = 0
  let all = 0
  for (const row of rows) {
    positive += labels[row] * weights[row]
    all += weights[row]
  }
  const base = Math.log(positive / (all - positive))
  for (const row of rows) margin[row] = base
  const gradient = new Float64Array(count)
  const hessian = new Float64Array(count)
  const node = new Int32Array(count)
  const model = { base, depth, features: [], thresholds: [], leaves: [], gains: new Float64Array(width) }
  const splits = (1 << depth) - 1
  for (let tree = 0; tree < trees; tree++) {
    for (const row of rows) {
      const p = 1 / (1 + Math.exp(-margin[row]))
      gradient[row] = (labels[row] - p) * weights[row]
      hessian[row] = Math.max(p * (1 - p), 1e-6) * weights[row]
    }
    const sampled = rows.filter(() => next() < rowShare)
    const chosen = []
    for (let f = 0; f < width; f++) if (edges[f].length > 0 && next() < columnShare) chosen.push(f)
    node.fill(0)
    const feature = new Array(splits).fill(0)
    const threshold = new Array(splits).fill(1e30)
    for (let level = 0; level < depth; level++) {
      const first = (1 << level) - 1
      const nodes = 1 << level
      const best = Array.from({ length: nodes }, () => ({ gain: 1e-6, f: -1, bin: 0 }))
      const totalG = new Float64Array(nodes)
      const totalH = new Float64Array(nodes)
      for (const row of sampled) {
        totalG[node[row]] += gradient[row]
        totalH[node[row]] += hessian[row]
      }
      const g = new Float64Array(nodes * binCount)
      const h = new Float64Array(nodes * binCount)
      for (const f of chosen) {
        g.fill(0)
        h.fill(0)
        const column = columns[f]
        for (let i = 0; i < sampled.length; i++) {
          const row = sampled[i]
          const at = node[row] * binCount + column[row]
          g[at] += gradient[row]
          h[at] += hessian[row]
        }
        const cuts = edges[f].length
        for (let n = 0; n < nodes; n++) {
          let leftG = 0
          let leftH = 0
          const whole = (totalG[n] * totalG[n]) / (totalH[n] + lambda)
          for (let bin = 0; bin < cuts; bin++) {
            leftG += g[n * binCount + bin]
            leftH += h[n * binCount + bin]
            const rightH = totalH[n] - leftH
            if (leftH < minWeight) continue
            if (rightH < minWeight) break
            const rightG = totalG[n] - leftG
            const gain = (leftG * leftG) / (leftH + lambda) + (rightG * rightG) / (rightH + lambda) - whole
            if (gain > best[n].gain) best[n] = { gain, f, bin }
          }
        }
      }
      for (let n = 0; n < nodes; n++) {
        if (best[n].f < 0) continue
        feature[first + n] = best[n].f
        threshold[first + n] = edges[best[n].f][best[n].bin]
        model.gains[best[n].f] += best[n].gain
      }
      for (const row of rows) {
        const { f, bin } = best[node[row]]
        node[row] = node[row] * 2 + (f >= 0 && columns[f][row] > bin ? 1 : 0)
      }
    }
    const leaves = 1 << depth
    const leafG = new Float64Array(leaves)
    const leafH = new Float64Array(leaves)
    for (const row of sampled) {
      leafG[node[row]] += gradient[row]
      leafH[node[row]] += hessian[row]
    }
    const leaf = Array.from({ length: leaves }, (_, i) => (rate * leafG[i]) / (leafH[i] + lambda))
    for (const row of rows) margin[row] += leaf[node[row]]
    model.features.push(...feature)
    model.thresholds.push(...threshold)
    model.leaves.push(...leaf)
  }
  return model
}

/** Margins of rows `from`..`to` of `values`. */
export const predict = (model, values, width, from, to) => {
  const { depth, base } = model
  const splits = (1 << depth) - 1
  const leaves = 1 << depth
  const trees = model.leaves.length / leaves
  const out = new Float64Array(to - from)
  for (let row = from; row < to; row++) {
    let margin = base
    for (let tree = 0; tree < trees; tree++) {
      let at = 0
      while (at < splits)
        at =
          2 * at +
          1 +
          (values[row * width + model.features[tree * splits + at]] > model.thresholds[tree * splits + at] ? 1 : 0)
      margin += model.leaves[tree * leaves + at - splits]
    }
    out[row - from] = margin
  }
  return out
}
