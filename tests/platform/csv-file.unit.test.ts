import { type CsvHead, likelyHead, openCsvFile, readCsvTable, tableUnder } from '#platform/csv-file'

describe('csv file', () => {
  const tableOf = async (bytes: Buffer | string, maxRows = 100) => {
    const file = openCsvFile(Buffer.from(bytes))
    return tableUnder(file, likelyHead(file), maxRows)
  }
  const cellsOf = async (bytes: Buffer | string, maxRows = 100) => {
    const { heads, rows } = await tableOf(bytes, maxRows)
    return [heads, ...rows.map(({ cells }) => cells)]
  }
  const refusedAs = (bytes: Buffer | string, code: string, message: string | RegExp) =>
    expect(tableOf(bytes)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })

  const expected = [
    ['Näme', 'Amount'],
    ['Mary', '1,234.50'],
  ]
  const text = 'Näme;Amount\r\nMary;"1,234.50"\r\n'
  const bigEndian = (content: string) => Buffer.from(content, 'utf16le').swap16()

  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-8 with its mark twice', Buffer.from(`\uFEFF\uFEFF${text}`)],
    ['UTF-16 with its mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 the other way round', bigEndian(`\uFEFF${text}`)],
    ['UTF-16 without a mark', Buffer.from(text, 'utf16le')],
    ['the other way round without a mark', bigEndian(text)],
    ["Windows' Latin", Buffer.from(text, 'latin1')],
    ['commas', Buffer.from('Näme,Amount\nMary,"1,234.50"\n')],
    ['tabs', Buffer.from('Näme\tAmount\nMary\t"1,234.50"\n')],
    ['bars', Buffer.from('Näme|Amount\rMary|1,234.50\r')],
    ['blanks around its cells', Buffer.from('Näme , Amount\n Mary, "1,234.50" \n')],
    ['quotes around every cell', Buffer.from('"Näme","Amount"\n"Mary","1,234.50"\n')],
    ['the end of a DOS file', Buffer.from(`${text}\u001A`)],
  ])('a file in %s is read', async (_how, bytes) => {
    expect(await cellsOf(bytes)).toEqual(expected)
  })

  const isHead = (heads: readonly string[]) => heads.includes('Amount')

  describe('the separator', () => {
    test('is the one that gives most lines the same number of cells', async () => {
      expect(
        await cellsOf(
          'Date;Details;Amount\n02/11/2026;TRF, BANDA, MARY;450,00\n03/11/2026;TRF, PHIRI, JOHN;75,00\n',
        ),
      ).toEqual([
        ['Date', 'Details', 'Amount'],
        ['02/11/2026', 'TRF, BANDA, MARY', '450,00'],
        ['03/11/2026', 'TRF, PHIRI, JOHN', '75,00'],
      ])
      expect(await cellsOf('student,grade\n"Banda; Mary; Ruth",4\n"Phiri; John; Paul",5\n')).toHaveLength(3)
    })

    test('is another one where only that one shows headings that are known', async () => {
      const lines =
        'Text, more;Amount\nA, b;1\nC, d;2\nE, f, g;3\nH, i, j;4\nK, l, m;5\nN, o, p;6\n'.replaceAll(';', '|')
      expect(await readCsvTable(Buffer.from(lines), { maxRows: 10, isHead })).toMatchObject({
        separator: '|',
        heads: ['Text, more', 'Amount'],
      })
    })

    test('may be named in a first line, after which rows are counted on', async () => {
      for (const line of ['sep=;', 'SEP=;\r', '"sep=;"'])
        expect(await tableOf(`${line}\nA;B, C, D\n1;E, F, G\n`)).toMatchObject({
          row: 2,
          heads: ['A', 'B, C, D'],
          rows: [{ row: 3, cells: ['1', 'E, F, G'] }],
        })
    })
  })

  describe('a row', () => {
    test('is counted as a spreadsheet does, and empty ones are left out', async () => {
      expect(await tableOf('a,b\n\n,,\n" "," "\n"1\n1",2\n3,4')).toMatchObject({
        row: 1,
        rows: [
          { row: 5, cells: ['1\n1', '2'] },
          { row: 6, cells: ['3', '4'] },
        ],
      })
    })

    test('of more or fewer cells than headings is an error, but for empty ones at its end', async () => {
      const { rows, errors } = await tableOf(
        'Date,Text,In,\n1/1/2026,A,1,250.00\n1/1/2026,B\n1/1/2026,C,3,,,\n1/1/2026,D,,\n1/1/2026,E,5\n',
      )
      expect(rows.map(({ cells }) => cells)).toEqual([
        ['1/1/2026', 'C', '3'],
        ['1/1/2026', 'D', ''],
        ['1/1/2026', 'E', '5'],
      ])
      expect(errors).toMatchObject([
        { row: 2, message: expect.stringContaining('This row has 4 cells and the headings have 3') },
        { row: 3, message: expect.stringContaining('This row has 2 cells and the headings have 3') },
      ])
    })

    test('with a bad byte is an error, and all others are read', async () => {
      const bytes = Buffer.concat([
        Buffer.from('Name,Paid\nJosé,1\nZoë'),
        Buffer.from([0xc3]),
        Buffer.from(',2\nNúñez,3\n'),
      ])
      const { rows, errors } = await tableOf(bytes)
      expect(rows.map(({ cells }) => cells)).toEqual([
        ['José', '1'],
        ['Núñez', '3'],
      ])
      expect(errors).toMatchObject([{ row: 3, message: expect.stringContaining('cannot be read') }])
      expect(await tableOf(`Name,Paid\nMary${'\0'},1\n${'John,2\n'.repeat(50)}`)).toMatchObject({
        rows: { length: 50 },
        errors: [{ row: 2 }],
      })
    })
  })

  describe('quotes', () => {
    test('in the middle of a cell are letters of it', async () => {
      expect(await cellsOf('a,b\nPHIRI "JOHN",5" pipe\n"MARY" BANDA,"say ""yes"""\n')).toEqual([
        ['a', 'b'],
        ['PHIRI "JOHN"', '5" pipe'],
        ['"MARY" BANDA', 'say "yes"'],
      ])
    })

    test.each([
      ['to the end', 'a,b\n1,2\n"3,4\n5,6\n', 3],
      ['to a quote in the middle of a cell', 'a,b,c\n1,"BANDA MARY,2\n3,PHIRI "JOHN",4\n5,ZULU,6\n', 2],
      [
        'to a quote that opens another',
        'name,price,text\nOne,25.00,"with rice\nTwo,26.00,with nshima\nThree,27.00,"with chips"\n',
        2,
      ],
      [
        'to a quote at the end of a cell, with whole rows between',
        'name,price,text\nOne,25.00,"with rice\nTwo,26.00,with nshima"\n',
        2,
      ],
      [
        'to a quote at the end of a cell, with parts of rows between',
        'Date,Text,In\n2/1/2026,"BANDA,45.00\n3/1/2026,ZULU",46.00\n',
        2,
      ],
      [
        'to a quote in another column',
        'Date,Text,In\n2/1/2026,"BANDA,45.00\n3/1/2026,ZULU,"46.00\n4/1/2026,PHIRI,47.00"\n',
        2,
      ],
    ])('left open %s name their row and refuse the file', async (_where, content, row) => {
      await refusedAs(content, 'upload_malformed', `A quote opens in row ${row} and does not close there`)
    })

    test('around several lines are one cell', async () => {
      const cell = 'TRF, BANDA,\nMARY\n\nLusaka, Zambia'
      expect((await cellsOf(`Date,Text,In\n2/1/2026,"${cell}",45.00\n`))[1]).toEqual([
        '2/1/2026',
        cell,
        '45.00',
      ])
    })
  })

  describe('the headings', () => {
    test('are the line with the most words, below whatever stands above the table', async () => {
      const file =
        'Statement;Zanaco;;\nAccount holder;Northside;;\nFrom 01/09/2026;;;\nDate;Details;In;Balance\n02/09/2026;rent;45,00;1,00\n'
      expect(await tableOf(file)).toMatchObject({ row: 4, heads: ['Date', 'Details', 'In', 'Balance'] })
    })

    test('are the line whose cells are as many as those of the rows, though one above has more words', async () => {
      const file =
        'Account,Name,Currency,Branch,Opened\n0123,NORTHSIDE,ZMW,MAIN,2019\n\nDate,Text,In\n02/09/2026,rent,45.00\n03/09/2026,rent,46.00\n'
      expect(await tableOf(file)).toMatchObject({ row: 4, heads: ['Date', 'Text', 'In'], errors: [] })
    })

    test('may stand in two lines, one of which names what the other leaves empty', async () => {
      const rows = '02/11/2026,A,,45.00,145.00\n03/11/2026,B,20.00,,125.00\n'
      const heads = async (...lines: string[]) => (await tableOf(`${lines.join('\n')}\n${rows}`)).heads
      const joined = ['Date', 'Details', 'Amount Debit', 'Amount Credit', 'Balance']
      expect(await heads('Date,Details,Amount,,Balance', ',,Debit,Credit,')).toEqual(joined)
      expect(await heads('Period,,Amount,,Balance', 'Date,Details,Debit,Credit,')).toEqual([
        'Period Date',
        'Period Details',
        ...joined.slice(2),
      ])
      const one = ['Date', 'Details', 'Debit', 'Credit', 'Balance']
      expect(await heads(one.join(), ',Opening balance,,,')).toEqual(one)
      expect(await heads(',,Movements,,', one.join())).toEqual(one)
    })

    test('that repeat have names of their own', async () => {
      expect((await tableOf('In,in,In (2),,In\n1,2,3,4,5\n')).heads).toEqual([
        'In',
        'in (2)',
        'In (2) (2)',
        'Column 4',
        'In (3)',
      ])
    })

    test('that are empty at the end are named by their place where rows fill it, and by no others', async () => {
      expect(
        await tableOf('Date,In,Balance,\n1/1/2026,45.00,"1,145.00",Cr\n2/1/2026,46.00,99.00,\n'),
      ).toMatchObject({
        heads: ['Date', 'In', 'Balance', 'Column 4'],
        rows: [{ cells: ['1/1/2026', '45.00', '1,145.00', 'Cr'] }, {}],
        errors: [],
      })
      expect(await tableOf('Date,In,Balance,\n1/1/2026,45.00,9.00,Cr\n2/1/2026,45,9,Cr,x\n')).toMatchObject({
        rows: [{}],
        errors: [{ row: 3, message: expect.stringContaining('5 cells and the headings have 4') }],
      })
      const torn = '1/1/2026,B,1,250.00\n'
      const { rows, errors } = await tableOf(`Date,Text,In,\n1/1/2026,A,45.00,Cr\n${torn}`)
      expect([rows.length, errors]).toMatchObject([1, [{ row: 3 }]])
    })

    test('a quote opens only where one does: a cell of several lines in a row that does not fit is an error of its row', async () => {
      const { rows, errors } = await tableOf(
        'Date,Text,In\n1/1/2026,"BANDA\nMARY",45.00,Cr,x\n2/1/2026,A,46.00\n',
      )
      expect([rows.length, errors]).toMatchObject([
        1,
        [{ row: 2, message: expect.stringContaining('5 cells') }],
      ])
    })

    test.each([
      ['dates', '02.11.2026;BANDA 0527 K2 02.11. 17:20;450,00;ZMW\n05.11.2026;ZULU LUNCH;90,00;ZMW\n'],
      ['marked amounts', 'MARY BANDA,2 Nov 2026,K45.00\nJOHN PHIRI,3 Nov 2026,46.00 CR\n'],
      ['dates in words', 'On 02/11/2026,Mary paid,school lunch\nOn 03/11/2026,John paid,lunch\n'],
      [
        'what stands above a table',
        'Account;Zanaco\nHolder;Northside\n02/11/2026;rent;45,00;1,00\n03/11/2026;rent;45,00;1,00\n',
      ],
      ['prose', 'There is no table in this text\nbut lines alone\n'],
    ])('are missing where there are only lines with %s', async (_what, content) => {
      await refusedAs(
        content,
        'no_headings',
        /^The file has no line of headings. Write one above the first row.$/,
      )
    })
  })

  test.each([
    ['a new spreadsheet', Buffer.from([0x50, 0x4b, 3, 4, 20, 0]), 'Save it as CSV'],
    ['an old spreadsheet', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), 'Save it as CSV'],
    ['a PDF', Buffer.from('%PDF-1.7\n'), 'Save it as CSV'],
    [
      'a page called a spreadsheet',
      Buffer.from('\n<html><table><tr><td>45</td></tr></table></html>'),
      'Save it as CSV',
    ],
    ['a page with a mark', Buffer.from('\uFEFF<html><table></table></html>'), 'Save it as CSV'],
    [
      'a page in UTF-16',
      Buffer.from('\uFEFF<table border="1"><tr><td>45,5</td></tr></table>', 'utf16le'),
      'Save it as CSV',
    ],
    ['a spreadsheet in XML', Buffer.from('<?xml version="1.0"?><Workbook/>'), 'Save it as CSV'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0x0d, 1, 2, 3, 4, 0, 5]), 'Save it as CSV'],
    [
      'OFX',
      'OFXHEADER:100\nDATA:OFXSGML\n<OFX><STMTTRN><TRNAMT>45.00</STMTTRN></OFX>\n',
      'This is an OFX file',
    ],
    ['newer OFX', '<?xml version="1.0"?>\n<?OFX OFXHEADER="200"?>\n<OFX/>', 'This is an OFX file'],
    ['QIF', '!Type:Bank\nD02/11/2026\nT45.00\nPBANDA\n^\n', 'This is a QIF file'],
    ['MT940', ':20:START\n:25:1234/5678\n:61:2611021102C45,00NTRF\n', 'This is an MT940 file'],
    [
      'MT940 in its envelope',
      '{1:F01ZNCOZMLUXXX0000000000}{2:I940}{4:\n:20:START\n',
      'This is an MT940 file',
    ],
    ['MT940 below a line', 'STARTUMS\n:20:STARTUMS\n:25:1234/5678\n', 'This is an MT940 file'],
    ['JSON of numbers', '[1, 2, 3]', 'This is a JSON file'],
    [
      'a page that begins with text',
      'Statement<br>\n<table><tr><td>Date</td><td>45</td></tr>',
      'Save it as CSV',
    ],
    ['JSON', '[{"date":"2026-11-02","amount":45}]', 'This is a JSON file'],
    ['more JSON', '{\n  "rows": [1, 2]\n}', 'This is a JSON file'],
    ['an empty file', '', 'The file is empty'],
    ['a mark alone', '\uFEFF', 'The file is empty'],
    ['blank rows', ' \n,,,\n""\n;;\n', 'The file is empty'],
  ])('%s is refused in a sentence', async (_what, bytes, message) => {
    await refusedAs(Buffer.from(bytes), 'not_csv', message)
  })

  test('a row without end and too many rows are refused', async () => {
    await refusedAs(`a,b\n"${'x'.repeat(200_000)}`, 'upload_malformed', 'Row 2 has more than 128 KiB')
    await refusedAs(`a,b\n${','.repeat(5_000_000)}1`, 'upload_malformed', 'Row 2 has more than 128 KiB')
    await refusedAs(`a${',b'.repeat(1000)}`, 'upload_malformed', 'Row 1 has more than 128 KiB or 1,000 cells')
    await expect(cellsOf('a,b\n1,1\n2,1\n3,1\n', 2)).rejects.toMatchObject({ code: 'too_many_rows' })
  })

  test('two thousand empty columns at the end are none', async () => {
    const empty = ','.repeat(2000)
    expect(await cellsOf(`Name,Amount${empty}\nMary,45${empty}\n`)).toEqual([
      ['Name', 'Amount'],
      ['Mary', '45'],
    ])
  })

  describe('what is longer than', () => {
    const long = (letters: number) => 'x'.repeat(letters)

    test('200 letters refuses the file as a heading, before any expression sees it', async () => {
      const asked: string[] = []
      const isHead = (heads: readonly string[]) => {
        asked.push(...heads)
        return heads.includes('Amount')
      }
      const file = Buffer.from(`Amount,${long(201)}\n1,2\n`)
      await expect(readCsvTable(file, { maxRows: 10, isHead })).rejects.toMatchObject({
        code: 'upload_malformed',
        message: 'The heading of column 2 has more than 200 letters. Shorten it.',
      })
      expect(Math.max(...asked.map(({ length }) => length))).toBeLessThan(200)
      expect((await tableOf(`Amount,${long(200)}\n1,2\n`)).rows).toHaveLength(1)
    })

    test('500 letters, and 2,000 under notes, is an error of its row that names the place', async () => {
      const file = [
        'Amount,Name,Notes',
        `1,${long(500)},${long(2000)}`,
        `2,${long(501)},a`,
        `3,a,${long(2001)}`,
      ]
      const { rows, errors } = await tableOf(file.join('\n'))
      expect(rows.map(({ row }) => row)).toEqual([2])
      expect(errors.map(({ row, message }) => [row, message])).toEqual([
        [3, 'The cell under Name has more than 500 letters'],
        [4, 'The cell under Notes has more than 2000 letters'],
      ])
    })

    test('2,000 letters and holds whole rows is a quote left open', async () => {
      const swallowed = Array.from({ length: 200 }, () => '2/1/2026,ZULU,46.00').join('\n')
      await refusedAs(
        `Date,Text,In\n1/1/2026,"BANDA,45.00\n${swallowed}\n3/1/2026,PHIRI",47.00\n`,
        'upload_malformed',
        'A quote opens in row 2',
      )
    })
  })

  test('a million blank rows are left out', async () => {
    const head: CsvHead = { row: 1_000_001, heads: ['a', 'b'], separator: ',' }
    const table = await tableOf(
      `${'\n'.repeat(500_000)}${',;\n'.repeat(500_000)}a,b\n1,2\n${',,,\r\n'.repeat(700_000)}`,
    )
    expect(table).toEqual({
      ...head,
      rows: [{ row: 1_000_002, cells: ['1', '2'] }],
      errors: [],
      above: [],
      notes: [],
    })
    const quoted = await tableOf(`a,b\n1,2\n${'"","",\n'.repeat(1_000_000)}`)
    expect(quoted.rows).toEqual([{ row: 2, cells: ['1', '2'] }])
  })

  test('few rows of many columns let others have their turn', async () => {
    const line = (cell: string) => Array.from({ length: 900 }, () => cell).join(',')
    const heads = Array.from({ length: 900 }, (_, column) => `Column ${column}`).join(',')
    let turns = 0
    let isDone = false
    const count = () => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    const { rows } = await tableOf([heads, ...Array.from({ length: 900 }, () => line('7'))].join('\n'), 900)
    isDone = true
    expect(rows).toHaveLength(900)
    expect(turns).toBeGreaterThan(3)
  })
})

describe('csv torn rows', () => {
  const tableOf = (text: string) => readCsvTable(Buffer.from(text), { maxRows: 100, isHead: () => true })

  test('a row whose amount is torn is an error where empty cells behind it hide that', async () => {
    const torn = [
      '1/1/2026,A,1,250.00,',
      '1/1/2026,A,K1,250.00,,',
      '1/1/2026,A,45,50,',
      '1/1/2026,A,(1,250.00),',
    ]
    const whole = ['1/1/2026,A,250.00,,', '1/1/2026,A,"1,250.00",,,']
    const { rows, errors } = await tableOf(['Date,Text,In,Remarks', ...torn, ...whole].join('\n'))
    expect(rows.map(({ cells }) => cells[2])).toEqual(['250.00', '1,250.00'])
    expect(errors.map(({ row }) => row)).toEqual([2, 3, 4, 5])
    expect(errors[0]!.message).toContain('This row has 5 cells and the headings have 4')
  })
})
