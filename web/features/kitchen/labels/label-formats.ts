/** A sheet of labels, or a roll of them, of which each is a page. Lengths in mm, as the makers publish them. */
export type LabelFormat = {
  name: string
  columns: number
  rows: number
  width: number
  height: number
  /** From the left edge of one label to that of the next; from the top edge they are as far apart as they are high. */
  pitch: number
  /** From the edges of the page to the first label. */
  left: number
  top: number
  /** Whether its letters are the small ones. */
  small: boolean
}

export const labelFormats = {
  '24': {
    name: 'Sheet of 24, 63.5 × 33.9 mm (L7159)',
    columns: 3,
    rows: 8,
    width: 63.5,
    height: 33.9,
    pitch: 66,
    left: 7.25,
    top: 12.9,
    small: false,
  },
  '65': {
    name: 'Sheet of 65, 38.1 × 21.2 mm (L7651)',
    columns: 5,
    rows: 13,
    width: 38.1,
    height: 21.2,
    pitch: 40.6,
    left: 4.75,
    top: 10.7,
    small: true,
  },
  roll: {
    name: 'Roll, 62 × 29 mm',
    columns: 1,
    rows: 1,
    width: 62,
    height: 29,
    pitch: 62,
    left: 0,
    top: 0,
    small: false,
  },
} as const satisfies Record<string, LabelFormat>

export type LabelFormatName = keyof typeof labelFormats

export const labelFormatNames = Object.keys(labelFormats) as LabelFormatName[]

export const usualFormat: LabelFormatName = '24'

/** The format of this name; the usual one for anything that is none. */
export const labelFormatNamed = (name: string | null): LabelFormatName =>
  labelFormatNames.find((one) => one === name) ?? usualFormat

/** How many labels are on a page. */
export const labelsPerPage = ({ columns, rows }: Pick<LabelFormat, 'columns' | 'rows'>): number =>
  columns * rows
