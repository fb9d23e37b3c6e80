import { type Colour } from "./Colour.ts"

/** Hue in degrees; saturation and lightness from 0 to 1. */
export const fromHsl = (hue: number, saturation: number, lightness: number, alpha: number): Colour => {
  const chroma = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number) => {
    const turn = (offset + hue / 30) % 12
    return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(turn - 3, 9 - turn, 1))))
  }
  return [channel(0), channel(8), channel(4), alpha]
}

/** Encodes a linear-light sRGB channel as a value from 0 to 255 (CSS Color 4, "sample code for color conversions"). */
const encoded = (light: number): number =>
  Math.round(255 * Math.min(1, Math.max(0, light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055)))

/** Lightness from 0 to 1. */
export const fromOklab = (lightness: number, a: number, b: number, alpha: number): Colour => {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    encoded(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    encoded(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    encoded(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
    alpha
  ]
}

/** Lightness from 0 to 100. */
export const fromLab = (lightness: number, a: number, b: number, alpha: number): Colour => {
  const middle = (lightness + 16) / 116
  const cubed = (value: number) => (value > 6 / 29 ? value ** 3 : (value - 4 / 29) * (108 / 841))
  const x = 0.9643 * cubed(middle + a / 500)
  const y = cubed(middle)
  const z = 0.8251 * cubed(middle - b / 200)
  return [
    encoded(3.1341 * x - 1.6174 * y - 0.4907 * z),
    encoded(-0.9788 * x + 1.9163 * y + 0.0335 * z),
    encoded(0.0719 * x - 0.229 * y + 1.4052 * z),
    alpha
  ]
}
