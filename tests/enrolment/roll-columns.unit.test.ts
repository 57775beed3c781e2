import { guessRoll, isRollHead } from '#modules/enrolment/roll/roll-columns.decide'
import { readRoll } from '#modules/enrolment/roll/roll-file.decide'
import { readCsvTable } from '#platform/csv-file'
import { inSlices } from '#platform/pacing'

const tableOf = (text: string) => readCsvTable(Buffer.from(text), { maxRows: 5000, isHead: isRollHead })
const read = async (text: string) => readRoll(await tableOf(text))!

describe('the columns of a register', () => {
  test.each([
    [
      'admissionNumber,class\nA-1,3B\n',
      { admissionNumber: 'admissionNumber', class: 'class', grade: 'class' },
    ],
    ['Person,Grade\nMary Banda,4\nLuse Phiri,5\n', { grade: 'Grade' }],
    [
      "Learner's name,Years,Code,Mail\nMary Banda,Grade 4,A1,m@x.zm\nLuse Phiri,KG,A2,l@x.zm\n",
      { student: "Learner's name", grade: 'Years', admissionNumber: 'Code', email: 'Mail' },
    ],
    ['Student,Form\nMary Banda,2\nLuse Phiri,3\n', { student: 'Student', class: 'Form', grade: 'Form' }],
    // The classes of a form are no grades.
    [
      'Student,Level,Stream\nMary Banda,Form 2,2A\nLuse Phiri,Form 3,3B\n',
      { student: 'Student', class: 'Stream', grade: 'Stream' },
    ],
  ])('without a column of names or of grades is not read: %j', async (text, guess) => {
    const table = await tableOf(text)
    expect(readRoll(table)).toBeNull()
    expect((await inSlices(guessRoll(table))).guess).toEqual(guess)
  })

  test('is read as somebody mapped it, and names the columns that are left', async () => {
    const table = await tableOf('Who,Kin,Years,Stream,House\nMary,Banda,3 B,Blue,Lions\n')
    const file = readRoll(table, { firstName: 'Who', lastName: 'Kin', grade: 'Years', class: 'Stream' })
    expect(file?.lines).toEqual([
      { row: 2, name: 'Mary Banda', grade: '3', admissionNumber: null, class: 'Blue' },
    ])
    expect(file?.notRead).toEqual(['House'])
  })

  test.each([
    ['Legal Forename,Legal Surname,Form,Grade', 'Mary,Banda,3B,3', { grade: '3', class: '3B' }],
    ['Student,Class/Grade', 'Mary Banda,Grade 3', { grade: '3' }],
    ['Student,Class/Grade', 'Mary Banda,Grade 3B', { grade: '3', class: '3B' }],
    ['Student,Form', 'Mary Banda,3 B', { grade: '3', class: '3B' }],
    ['Student,Grade', 'Mary Banda,Reception', { grade: 'K' }],
    ['Student,Grade', 'Mary Banda,Grade R', { grade: 'K' }],
    ['Student,Grades', 'Mary Banda,KG', { grade: 'K' }],
    ['Student,Grade', 'Mary Banda,3rd grade', { grade: '3' }],
  ])('knows the heads %s', async (heads, cells, line) => {
    const { lines, errors } = await read(`${heads}\n${cells}\n`)
    expect([lines, errors]).toEqual([[expect.objectContaining({ name: 'Mary Banda', ...line })], []])
  })

  test.each(['Year 3', 'Form 2', '3 years', 'Grade 1 to 3'])('takes %s for no grade', async (grade) => {
    expect((await read(`Student,Grade\nMary Banda,${grade}\n`)).errors).toEqual([
      { row: 2, column: 'grade', message: `${grade} is not a grade: write ELC, K or 1 to 12` },
    ])
  })

  test.each([
    ['Role', 'Teacher'],
    ['role', 'parent'],
    ['User Type', 'Support staff'],
    ['Status', 'Withdrawn'],
    ['status', 'tobedeleted'],
    ['Enrolment status', 'Transferred out'],
    ['Student Status', 'TRANSFERRED_OUT'],
    ['Status', 'Pupil (left in May)'],
    ['Student Status', 'Transferred'],
    ['Status', 'Not enrolled'],
    ['Status', 'No longer active'],
    ['Roll status', 'Off roll'],
    ['Status', 'Ex-pupil'],
    ['Enrollment', 'Withdrawn'],
    ['Type of user', 'Teacher'],
    ['User Group', 'Staff'],
    ['Column X', 'Withdrawn'],
  ])('makes no child of a row whose %s is %s', async (head, word) => {
    const file = await read(`Adm No,Student,Grade,${head}\nA-1,Mary,4,${word}\nA-1,Luse,5,Active\n`)
    expect(file.lines.map(({ name }) => name)).toEqual(['Luse'])
    expect(file.errors).toEqual([{ row: 2, column: null, message: `${word}: this is no pupil` }])
    expect(file.unread).toEqual([])
  })

  test.each([
    ['Role', 'Student'],
    ['Type', 'Staff child'],
    ['Status', 'Transferred in'],
    ['Role', 'Head boy'],
    ['Category', 'Boarder'],
    ['Category', 'Non-boarder'],
    ['Parents', 'Mother'],
    ["Father's occupation", 'Teacher'],
    ['Leaving Date', '31/12/2032'],
  ])('makes a child of a row whose %s is %s', async (head, word) => {
    expect((await read(`Student,Grade,${head}\nMary,4,${word}\n`)).lines).toHaveLength(1)
  })

  test.each([
    ['Active', 'No'],
    ['Currently enrolled', 'FALSE'],
    ['Leaver', 'Yes'],
    ['Date left', '31/07/2026'],
    ['Withdrawal date', '2026-07-31'],
  ])('makes no child of a row with %s %s', async (head, cell) => {
    const file = await read(`Student,Grade,${head}\nMary,4,${cell}\nLuse,5,\n`)
    expect(file.lines.map(({ name }) => name)).toEqual(['Luse'])
    expect(file.errors).toEqual([{ row: 2, column: null, message: `${head} ${cell}: this is no pupil` }])
  })

  test.each([
    ['Enroll_Status', ['0', '2', '0'], '0, 2'],
    ['Status', ['Active', 'Pending', 'Active'], 'Pending'],
    ['Remarks', ['', 'Left in June', 'Sings well'], 'Left in June'],
  ])('says in its notes what nobody knows under %s', async (head, words, told) => {
    const { lines, notes } = await read(
      `Student,Grade,${head}\n${words.map((word, at) => `Child ${'ABC'[at]},4,${word}`).join('\n')}\n`,
    )
    expect([lines.length, notes]).toEqual([3, [`${head} says ${told}: these rows are read as pupils`]])
  })

  test('are asked for where one of names stands beside a column of names without a head', async () => {
    const table = await tableOf('Name,,Grade\nMary,Banda,4\nLuse,Phiri,5\n')
    expect(readRoll(table)).toBeNull()
    const { guess } = await inSlices(guessRoll(table))
    expect(guess).toMatchObject({ student: 'Name', lastName: 'Column 2', grade: 'Grade' })
    expect(readRoll(table, guess)!.lines.map(({ name }) => name)).toEqual(['Mary Banda', 'Luse Phiri'])
  })

  test('have a number once, however a spreadsheet writes it', async () => {
    const { lines, errors } = await read(
      'Adm No,Student,Grade\n1,Mary,4\n1.0,Luse,5\n"1,000",A,4\n1000,B,4\n',
    )
    expect([lines, errors.map(({ row }) => row)]).toEqual([[], [2, 3, 4, 5]])
  })

  test('accounts for each row: headings again and rows without anything that is read are left out', async () => {
    const file = await read('No,Student,Grade\n1,Mary,4\nNo,Student,Grade\n2,,\n3,Luse,99\n')
    expect(file.lines.map(({ row }) => row)).toEqual([2])
    expect(file.errors.map(({ row }) => row)).toEqual([5])
    expect(file.leftOut).toEqual([
      { row: 3, reason: 'the headings again', amount: null },
      { row: 4, reason: 'nothing in the columns that are read', amount: null },
    ])
  })

  test('with headings and cells that are too long says where they are, at once', async () => {
    const long = 'name'.repeat(82)
    await expect(tableOf(`Student,Grade,${long}\nMary,4,x\n`)).rejects.toThrow(
      'The heading of column 3 has more than 200 letters. Shorten it.',
    )
    const head = `${'name'.repeat(49)}sur`
    const began = performance.now()
    const { notRead, errors } = await read(`Student,Grade,${head}\n${'a '.repeat(300)},4,x\nMary,4,x\n`)
    expect(performance.now() - began).toBeLessThan(1000)
    expect(notRead).toEqual([head])
    expect(errors).toEqual([
      { row: 2, column: null, message: 'The cell under Student has more than 500 letters' },
    ])
  })
})
