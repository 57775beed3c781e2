import { csvFormat } from '#contracts/csv'

/** Lets the browser keep what is at this address; without a name under the one that the server gives. */
export const downloadFrom = (address: string, name = ''): void => {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

/** Gives the text of a CSV file to the browser to keep. */
export const saveCsv = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  downloadFrom(address, name)
  URL.revokeObjectURL(address)
}

/** A CSV file as spreadsheets open it: marked UTF-8, a heading, no cell a formula. */
export const csvFile = async (
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<string> => {
  const { stringify } = await import('csv-stringify/browser/esm/sync')
  return stringify([columns, ...rows] as string[][], { ...csvFormat, bom: true })
}
