import { readCsvFile } from '#platform/csv-file'

const cellsOf = async (bytes: Buffer | string, most = 100) =>
  (await readCsvFile(Buffer.from(bytes), most)).map(({ cells }) => cells)
const expected = [
  ['Näme', 'Amount'],
  ['Mary', '1,234.50'],
]
const text = 'Näme;Amount\r\nMary;"1,234.50"\r\n'
const bigEndian = (content: string) => Buffer.from(content, 'utf16le').swap16()

test.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with its mark', Buffer.from(`\uFEFF${text}`)],
  ['UTF-16 with its mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['UTF-16 the other way round', bigEndian(`\uFEFF${text}`)],
  ['UTF-16 without a mark', Buffer.from(text, 'utf16le')],
  ['the other way round without a mark', bigEndian(text)],
  ["Windows' Latin", Buffer.from(text, 'latin1')],
  ['commas', Buffer.from('Näme,Amount\nMary,"1,234.50"\n')],
  ['tabs', Buffer.from('Näme\tAmount\nMary\t"1,234.50"\n')],
  ['bars', Buffer.from('Näme|Amount\rMary|1,234.50\r')],
])('a file in %s is read', async (_how, bytes) => {
  expect(await cellsOf(bytes)).toEqual(expected)
})

test('lines keep the row that a spreadsheet counts, and empty ones are left out', async () => {
  expect(await readCsvFile(Buffer.from('a,b\n\n,,\n1,2\n'), 10)).toEqual([
    { row: 1, cells: ['a', 'b'] },
    { row: 4, cells: ['1', '2'] },
  ])
})

test.each([
  ['a new spreadsheet', Buffer.from([0x50, 0x4b, 3, 4, 20, 0])],
  ['an old spreadsheet', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1])],
  ['a PDF', Buffer.from('%PDF-1.7\n')],
  ['a page called a spreadsheet', Buffer.from('\n<html><table><tr><td>45</td></tr></table></html>')],
  ['a spreadsheet in XML', Buffer.from('<?xml version="1.0"?><Workbook/>')],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0x0d, 1, 2, 3, 4, 0, 5])],
])('%s is refused: save it as CSV', async (_what, bytes) => {
  await expect(cellsOf(bytes)).rejects.toMatchObject({
    code: 'not_csv',
    message: expect.stringContaining('Save it as CSV'),
  })
})

test('a quote left open, a line without end and too many lines are refused', async () => {
  await expect(cellsOf(`a,b\n"${'x'.repeat(200_000)}`)).rejects.toMatchObject({ code: 'upload_malformed' })
  await expect(cellsOf(`a,b\n"1\n2\n3`)).rejects.toMatchObject({ code: 'upload_malformed' })
  await expect(cellsOf('1\n2\n3\n', 2)).rejects.toMatchObject({ code: 'too_many_rows' })
})
