import type { Measured } from './load'

/** `targets` are the limits for this line. */
export type Line = {
  what: string
  measured?: Measured
  /** A figure that is not a rate: its value and unit. */
  figure?: { value: number; unit: string }
  targets?: Target[]
}

export type Target = { name: string; value: number; atMost?: number; atLeast?: number }

const digits = (number: number) =>
  number >= 100 ? number.toFixed(0) : number >= 10 ? number.toFixed(1) : number.toFixed(2)

export const isMet = ({ value, atMost = Infinity, atLeast = -Infinity }: Target): boolean =>
  value <= atMost && value >= atLeast

const targetWords = (target: Target): string => {
  const { name, value, atMost, atLeast } = target
  const bound = atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`
  return `${isMet(target) ? '✓' : '✗'} ${name} ${digits(value)} (${bound})`
}

const cells = ({ what, measured, figure, targets = [] }: Line): string[] => [
  what,
  measured ? `${digits(measured.perSecond)}/s` : figure ? `${digits(figure.value)} ${figure.unit}` : '',
  measured ? `${digits(measured.p50)} / ${digits(measured.p99)}` : '',
  measured ? digits(measured.serverCpu) : '',
  measured?.postgresCpu === undefined ? '' : digits(measured.postgresCpu),
  targets.map(targetWords).join(' · '),
]

const head = ['', 'result', 'p50 / p99 ms', 'server CPU ms', 'Postgres CPU ms', 'targets']

export const tableOf = (lines: Line[]): string => {
  const rows = [head, ...lines.map(cells)]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
