/** The drawing's own size; it is cut to whatever place it fills, from the middle. */
const WIDTH = 1600
const HEIGHT = 900

interface Cover {
  /** 32 bits: covers with different seeds look different. */
  seed: number
  /** `#rrggbb`. */
  colour: string
}

/** Numbers from 0 to 1 that follow from the seed alone (xorshift). */
function seededRandom(seed: number): () => number {
  let state = seed === 0 ? 1 : seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** Draws the cover of an event without a banner, as SVG: a gradient around the colour, with one of a few patterns. */
export function drawCover(cover: Cover): string {
  const box = `viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMidYMid slice"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${box}>${coverParts(cover)}</svg>`
}

/** The drawing alone, for an SVG of 1600 by 900. */
export function coverParts({ seed, colour }: Cover): string {
  const random = seededRandom(seed)
  const { hue, saturation, lightness } = hslOf(colour)
  // Skips the first numbers, which are alike for similar seeds.
  for (let n = 0; n < 8; n++) random()
  const turn = (random() < 0.5 ? -1 : 1) * (18 + random() * 24)
  const shade = (by: number, lighter: number) =>
    `hsl(${Math.round(hue + by)} ${Math.round(saturation)}% ${Math.round(Math.min(88, Math.max(16, lightness + lighter)))}%)`
  const pattern = patterns[Math.floor(random() * patterns.length)] ?? waves
  const angle = Math.round(random() * 90)
  return [
    `<defs><linearGradient id="g" gradientTransform="rotate(${angle} .5 .5)">`,
    `<stop stop-color="${shade(0, 2)}"/><stop offset="1" stop-color="${shade(turn, -18)}"/></linearGradient></defs>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#g)"/>`,
    pattern(random, [shade(turn / 2, 24), shade(-turn / 2, 12), shade(turn, 34)]),
  ].join('')
}

type Pattern = (random: () => number, colours: readonly [string, string, string]) => string

const between = (random: () => number, least: number, most: number) => Math.round(least + random() * (most - least))

const waves: Pattern = (random, colours) =>
  colours
    .map((colour, at) => {
      const top = 300 + at * 170 + between(random, -40, 40)
      const [a, b, c] = [between(random, -220, -60), between(random, 60, 220), between(random, -160, 160)]
      const line = `M0 ${top}C300 ${top + a} 520 ${top + b} 800 ${top}S1300 ${top + c} ${WIDTH} ${top + c / 2}`
      return `<path d="${line}V${HEIGHT}H0Z" fill="${colour}" opacity="${[0.22, 0.26, 0.2][at]}"/>`
    })
    .join('')

const rings: Pattern = (random, colours) => {
  const [x, y] = [between(random, 150, 1450), between(random, 80, 820)]
  return Array.from({ length: 7 }, (_, at) => {
    const radius = 130 + at * between(random, 125, 150)
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="none" stroke="${colours[at % 3]}" stroke-width="${between(random, 18, 64)}" opacity=".24"/>`
  }).join('')
}

const discs: Pattern = (random, colours) =>
  Array.from({ length: 9 }, (_, at) => {
    const radius = between(random, 60, 330)
    return `<circle cx="${between(random, 0, WIDTH)}" cy="${between(random, 0, HEIGHT)}" r="${radius}" fill="${colours[at % 3]}" opacity="${(0.12 + random() * 0.18).toFixed(2)}"/>`
  }).join('')

const rays: Pattern = (random, colours) => {
  const [x, y] = [between(random, 100, 1500), between(random, -100, 200) + (random() < 0.5 ? 0 : 800)]
  const from = random() * Math.PI
  return Array.from({ length: 14 }, (_, at) => {
    const start = from + (at / 14) * 2 * Math.PI
    const end = start + Math.PI / 14
    const point = (angle: number) =>
      `${Math.round(x + Math.cos(angle) * 2000)} ${Math.round(y + Math.sin(angle) * 2000)}`
    return `<path d="M${x} ${y}L${point(start)}L${point(end)}Z" fill="${colours[at % 3]}" opacity=".2"/>`
  }).join('')
}

const tiles: Pattern = (random, colours) => {
  const size = 200
  const pieces: string[] = []
  for (let row = 0; row * size < HEIGHT; row++)
    for (let column = 0; column * size < WIDTH; column++) {
      const [x, y] = [column * size, row * size]
      const corner = Math.floor(random() * 4)
      const [dx, dy] = [corner % 2 === 0 ? 0 : size, corner < 2 ? 0 : size]
      const colour = colours[Math.floor(random() * 3)]
      if (random() < 0.25) continue
      const [fromX, toY] = [x + (size - dx), y + (size - dy)]
      pieces.push(
        `<path d="M${x + dx} ${y + dy}H${fromX}A${size} ${size} 0 0 ${dx === dy ? 1 : 0} ${x + dx} ${toY}Z" fill="${colour}" opacity="${(0.12 + random() * 0.2).toFixed(2)}"/>`,
      )
    }
  return pieces.join('')
}

const bars: Pattern = (random, colours) => {
  const tilt = between(random, -35, 35)
  const pieces = Array.from({ length: 12 }, (_, at) => {
    const width = between(random, 30, 130)
    return `<rect x="${at * 190 - 300}" y="-600" width="${width}" height="2100" rx="${width / 2}" fill="${colours[at % 3]}" opacity="${(0.14 + random() * 0.16).toFixed(2)}"/>`
  })
  return `<g transform="rotate(${tilt} 800 450)">${pieces.join('')}</g>`
}

const patterns: readonly Pattern[] = [waves, rings, discs, rays, tiles, bars]

/** Hue in degrees, saturation and lightness in percent. A grey gets a little colour, so that the shades differ. */
function hslOf(colour: string): { hue: number; saturation: number; lightness: number } {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const range = most - least
  const sum = most + least
  const hue =
    range === 0
      ? 240
      : most === red
        ? ((green - blue) / range) * 60
        : most === green
          ? 120 + ((blue - red) / range) * 60
          : 240 + ((red - green) / range) * 60
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(sum - 1))
  return {
    hue: (hue + 360) % 360,
    saturation: Math.min(72, Math.max(18, saturation * 100)),
    lightness: Math.min(60, Math.max(28, sum * 50)),
  }
}
