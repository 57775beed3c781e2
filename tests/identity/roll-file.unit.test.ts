import { readCsvFile } from '#platform/csv-file'
import { readRoll } from '#modules/identity/roll/roll-file.decide'
import { templateCsv } from '../../web/features/roll-import/list-template'
import { planOfRoll } from '#modules/identity/roll/roll-plan.decide'

const read = async (text: string) => readRoll(await readCsvFile(Buffer.from(text), 5001))

describe('the file of a roll', () => {
  test('is read whatever the order and case of its heads, with semicolons and a mark of its encoding', async () => {
    const file = await read(
      '\u{FEFF}PHONE;Class;E-Mail;guardian;Grade;STUDENT;Admission Number\r\n' +
        '0977 123 456;3B;Mrs.Banda@Example.org;Mrs Banda;Grade 03;  Chipo\tBanda ;="0017"\r\n',
    )
    expect(file).toEqual({
      lines: [
        {
          row: 2,
          name: 'Chipo Banda',
          grade: '3',
          admissionNumber: '0017',
          class: '3B',
          guardian: 'Mrs Banda',
          email: 'mrs.banda@example.org',
          phone: '0977 123 456',
        },
      ],
      errors: [],
      unread: [],
    })
  })

  test('says of each row what is wrong where, and reads the others', async () => {
    const file = await read(
      [
        'admissionNumber,student,grade,class,guardian,email,phone',
        'A-1,Chipo,3,3B,Mrs Banda,,',
        'A-2,,3,,,,',
        'A-3,Taonga,13,,,,',
        'A-4,Mapalo,3,A class with a name that is too long,,,',
        'A-5,Luse,3,,,not an address,',
        'A-6,Mwila,3,,,,12',
        'A-7,One,3,,,,',
        'a-7,Another,3,,,,',
        '1.2E+10,Natasha,3,,,,',
        ',Bwalya,K,,,,',
        ',BWALYA,k,,,,',
        'A-8,www.example.com,2,,,,',
      ].join('\n'),
    )
    expect(file.lines.map(({ row }) => row)).toEqual([2, 11])
    expect(file.errors).toEqual([
      { row: 3, column: 'student', message: 'The name of the child is missing' },
      { row: 4, column: 'grade', message: '13 is no grade: write ELC, K or 1 to 12' },
      {
        row: 5,
        column: 'class',
        message: 'A class with a name that is too long has more than 20 characters',
      },
      { row: 6, column: 'email', message: 'not an address is no email address' },
      { row: 7, column: 'phone', message: '12 is no phone number' },
      { row: 8, column: 'admissionNumber', message: 'A-7 stands in several rows' },
      { row: 9, column: 'admissionNumber', message: 'a-7 stands in several rows' },
      { row: 10, column: 'admissionNumber', message: 'A spreadsheet has shortened the number to 1.2E+10' },
      { row: 12, column: 'student', message: 'The same child stands in row 11' },
      { row: 13, column: 'student', message: 'A name holds no web address' },
    ])
  })

  test('is read as the template that the screen gives', async () => {
    const file = await read(await templateCsv())
    expect(file.errors).toEqual([])
    expect(file.lines.map(({ name, grade, class: of }) => [name, grade, of])).toEqual([
      ['Chipo Banda', '3', '3B'],
      ['Mapalo Banda', 'K', null],
      ['Luse Phiri', 'ELC', null],
    ])
  })

  test('without the head of a column that it needs, nothing is read and nobody leaves', async () => {
    const file = await read('admissionNumber,class\nA-1,3B\n')
    const nobody = {
      userId: null,
      guardianName: null,
      guardianEmail: null,
      guardianPhone: null,
      leftAt: null,
    }
    const chipo = { id: 1, name: 'Chipo', grade: '3', class: null, admissionNumber: 'A-2' }
    const onRoll = { ...nobody, ...chipo, onRollSince: new Date('2026-01-10T08:00:00Z') }
    expect(file.errors).toEqual([
      { row: 1, column: 'student', message: 'The file has no column "student"' },
      { row: 1, column: 'grade', message: 'The file has no column "grade"' },
    ])
    expect(planOfRoll(file, [onRoll])).toEqual({ rows: [], leaving: [], size: 1 })
  })
})
