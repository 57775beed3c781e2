import { header, multipart, soupRow, startCatalogueOnly, stewRow } from './catalogue-only'

let school: Awaited<ReturnType<typeof startCatalogueOnly>>
beforeAll(async () => {
  school = await startCatalogueOnly()
})
beforeEach(() => school.reset())
afterAll(() => school.close())

describe('a file is refused', () => {
  const manyRows = [header, ...Array.from({ length: 10_001 }, (_, index) => stewRow(`Stew ${index}`))].join(
    '\n',
  )
  const fiveMiB = 5 * 1024 * 1024

  test.each([
    [
      'no file',
      multipart('', { fileName: '', type: 'application/octet-stream' }),
      422,
      'no_file',
      'No File Selected',
    ],
    ['another field', multipart(header, { field: 'menu' }), 422, 'no_file', 'No File Selected'],
    [
      'no CSV',
      multipart('%PDF', { fileName: 'menu.pdf', type: 'application/pdf' }),
      422,
      'not_csv',
      'Invalid File Type: Please select a CSV file',
    ],
    [
      'a missing column',
      multipart('name,type\nStew,primary'),
      422,
      'mapping_needed',
      'We guessed columns from the headings and first rows. Choose the others, then go on.',
    ],
    [
      'a mapping without the price',
      multipart(header, { mapping: { name: 'name' } }),
      422,
      'validation_failed',
      'Choose the column price',
    ],
    [
      'a heading that is too long',
      multipart(`${header},${'note'.repeat(51)}\n${soupRow},x`),
      400,
      'upload_malformed',
      'The heading of column 12 has more than 200 letters. Shorten it.',
    ],
    ['an empty file', multipart(''), 422, 'not_csv', 'The file is empty. Choose one that has rows.'],
    ['too many rows', multipart(manyRows), 413, 'too_many_rows', 'A file can have at most 10,000 rows'],
    [
      'too many bytes',
      multipart(`${header}\n${'x'.repeat(fiveMiB - header.length)}`),
      413,
      'file_too_large',
      'A file can have at most 5 MiB',
    ],
    [
      'far too many bytes',
      multipart('x'.repeat(2 * fiveMiB)),
      413,
      'request_too_large',
      'The request is too large',
    ],
    [
      'an open quote',
      multipart(`${header}\n${soupRow}\n"Pie,,`),
      400,
      'upload_malformed',
      'A quote opens in row 3 and does not close there. Close it or take it out.',
    ],
    [
      'a line without end',
      multipart(`${header}\n${'a,'.repeat(70_000)}\n`),
      400,
      'upload_malformed',
      'Row 2 has more than 128 KiB or 1,000 cells. Is a quote left open?',
    ],
    [
      'a stray quote that swallows rows until the next one',
      multipart(
        [
          'name,price,type,categories,weekNumbers,daysOfWeek,description',
          'Dish One,25.00,primary,beef,1,1,"with rice',
          'Dish Two,26.00,primary,beef,1,2,with nshima',
          'Dish Three,27.00,primary,beef,1,3,"with chips"',
        ].join('\n'),
      ),
      400,
      'upload_malformed',
      'A quote opens in row 2 and does not close there. Close it or take it out.',
    ],
    [
      'no line of headings',
      multipart('Stew,20.00,primary,beef,1,1\nSoup,21.00,primary,beef,1,2'),
      422,
      'no_headings',
      'The file has no line of headings. Write one above the first row.',
    ],
    [
      'a form that breaks off',
      multipart(`${header}\n${soupRow}`, { end: false }),
      400,
      'upload_malformed',
      'The upload was interrupted. Please try again',
    ],
    [
      'a form without a boundary',
      { ...multipart(header), headers: { 'content-type': 'multipart/form-data' } },
      400,
      'upload_malformed',
      'The upload was interrupted. Please try again',
    ],
    [
      'no form at all',
      { ...multipart(header), headers: { 'content-type': 'text/csv' } },
      400,
      'upload_malformed',
      'Send the file as multipart/form-data',
    ],
  ])('for %s, and nothing is stored', async (_what, form, status, code, message) => {
    expect(await school.send(form)).toMatchObject({ status, code, message, error: message })
    expect(await school.menu()).toEqual([])
  })
})
