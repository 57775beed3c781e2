import { readCsvTable } from '#platform/csv-file'

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
