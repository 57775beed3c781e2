/** A whole number above 0 from the environment; ends the process with a sentence when it is anything else. */
export const numberFrom = (variable: string, otherwise: number): number => {
  const value = Number(process.env[variable] ?? otherwise)
  if (Number.isInteger(value) && value > 0) return value
  console.error(`${variable} takes a whole number above 0.`)
  process.exit(1)
}
