import { claimCodeHashes, newClaimCode } from '#modules/enrolment/claims/claim.commands'
import {
  decideApplying,
  decideKnown,
  decideUnchanged,
  decideUndoing,
  isAsPromoted,
  planPromotion,
  type Promotion,
  renamedClass,
} from '#modules/enrolment/promotion.decide'
import { familiesOf } from '#modules/enrolment/roll/families.decide'
import { isRollHead } from '#modules/enrolment/roll/roll-columns.decide'
import { readRoll } from '#modules/enrolment/roll/roll-file.decide'
import type { RollChild } from '#modules/identity/published'
import { readCsvTable } from '#platform/csv-file'
import { templateCsv } from '../../web/features/roll-import/upload-card'

describe('reading the roll', () => {
  const read = async (text: string) =>
    readRoll(await readCsvTable(Buffer.from(text), { maxRows: 5000, isHead: isRollHead }))!

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
        { row: 4, column: 'grade', message: '13 is not a grade: write ELC, K or 1 to 12' },
        {
          row: 5,
          column: 'class',
          message: 'A class with a name that is too long has more than 20 characters',
        },
        { row: 6, column: 'email', message: 'not an address is no email address' },
        { row: 7, column: 'phone', message: '12 is not a phone number' },
        { row: 8, column: 'admissionNumber', message: 'A-7 is in several rows' },
        { row: 9, column: 'admissionNumber', message: 'a-7 is in several rows' },
        { row: 10, column: 'admissionNumber', message: 'A spreadsheet has shortened the number to 1.2E+10' },
        { row: 12, column: 'student', message: 'The same child is in row 11' },
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

    test.each([
      ['Surname,Name', 'Banda,Mary', 'Mary Banda'],
      ['Last Name,First Name,Other Names', 'Banda,Mary,Chanda Luse', 'Mary Chanda Luse Banda'],
      ['Forename,Middle name,Family name', 'Mary,,Banda', 'Mary Banda'],
      ['Pupil Name,Surname', 'Mary Banda,BANDA', 'Mary Banda'],
      ['Name of pupil,Sex', 'Mary Banda,F', 'Mary Banda'],
      ['Last,First', 'Banda,Mary', 'Mary Banda'],
      ['LName,FName', 'Banda,Mary', 'Mary Banda'],
      ['Surname & First name', '"Banda, Mary"', 'Banda, Mary'],
      ['Student name (surname first)', 'Banda Mary', 'Banda Mary'],
      ['Name (last name first)', 'Banda Mary', 'Banda Mary'],
      ['Name,Second surname,Surname', 'Mary,Zulu,Banda', 'Mary Zulu Banda'],
      ['Nom,Prénom', 'Banda,Mary', 'Mary Banda'],
      ['Vorname,Nachname', 'Mary,Banda', 'Mary Banda'],
      ['Nombre,Apellidos', 'Mary,Banda', 'Mary Banda'],
      ["Learner's first name,Learner's surname", 'Mary,Banda', 'Mary Banda'],
    ])('joins the names under %s', async (heads, cells, name) => {
      const { lines, errors } = await read(`${heads},Grade\n${cells},4\n`)
      expect([lines.map((line) => line.name), errors]).toEqual([[name], []])
    })

    test('of a guardian joins names too, and takes a head of the guardian’s for theirs', async () => {
      const { lines } = await read(
        "Student,Grade,Parent First Name,Parent Surname,Parent's phone,Guardian Email\nMary,4,Ruth,Banda,0977123456,R@x.zm\n",
      )
      expect(lines[0]).toMatchObject({ guardian: 'Ruth Banda', phone: '0977123456', email: 'r@x.zm' })
    })

    test('may stand below title lines; columns that mean nothing here are named', async () => {
      const { lines, notRead } = await read(
        "Hill School,,,\nTerm 3 roll,,,\nNo,Adm. No.,Name of pupil,Grade,Mother's name\n1,77,Mary,4,Ruth\n",
      )
      expect(lines).toEqual([{ row: 4, name: 'Mary', grade: '4', admissionNumber: '77' }])
      expect(notRead).toEqual(['No', "Mother's name"])
      expect((await read('Student,Grade\nMary,4\n')).notRead).toBeUndefined()
      expect((await read('Number,Adm No,Student,Grade\n1,77,Mary,4\n')).lines[0]!.admissionNumber).toBe('77')
    })

    test.each([
      ['#REF!,Mary Banda,4', 'admissionNumber', '#REF! is a spreadsheet error'],
      ['7,#N/A,5', 'student', '#N/A is a spreadsheet error'],
      ['7,#NAME?,5', 'student', '#NAME? is a spreadsheet error'],
      ['7,########,5', 'student', '######## is a spreadsheet error'],
      ['8,"=B2&"" ""&C2",5', 'student', '=B2&" "&C2 is a formula. Save the file with its values'],
      ['8,=B2,5', 'student', '=B2 is a formula. Save the file with its values'],
      ['8,+B2,5', 'student', '+B2 is a formula. Save the file with its values'],
      [',Total pupils,3', 'student', 'Total pupils is a total, not a child'],
      [',Grand Total: 45,3', 'student', 'Grand Total: 45 is a total, not a child'],
      ['TOTAL,45,3', 'admissionNumber', 'TOTAL is a total, not a child'],
      ['7,#NV,5', 'student', '#NV is a spreadsheet error'],
      ['7,#BEZUG!,5', 'student', '#BEZUG! is a spreadsheet error'],
      ['7,#¡REF!,5', 'student', '#¡REF! is a spreadsheet error'],
      ['7,Err:502,5', 'student', 'Err:502 is a spreadsheet error'],
      ['7,{=B2},5', 'student', '{=B2} is a formula. Save the file with its values'],
      ['7,FALSE,5', 'student', 'FALSE is not a name'],
      [',Class total,3', 'student', 'Class total is a total, not a child'],
      [',Grade 3 total: 12,3', 'student', 'Grade 3 total: 12 is a total, not a child'],
      [',Total for Grade 3,3', 'student', 'Total for Grade 3 is a total, not a child'],
      [',Total enrolled,3', 'student', 'Total enrolled is a total, not a child'],
      [',No. of pupils: 45,3', 'student', 'No. of pupils: 45 is a total, not a child'],
      [',45 pupils,3', 'student', '45 pupils is a total, not a child'],
      [',Boys: 20,3', 'student', 'Boys: 20 is a total, not a child'],
      [',Class teacher: Mr Phiri,3', 'student', 'Class teacher: Mr Phiri is not a name'],
      [',Signature ______,3', 'student', 'Signature ______ is not a name'],
      [',Page 1 of 3,3', 'student', 'Page 1 of 3 is not a name'],
      [',Printed on 12/11/2026,3', 'student', 'Printed on 12/11/2026 is not a name'],
      [',--- End of list ---,3', 'student', '--- End of list --- is not a name'],
      [',Generated by SchoolPro,3', 'student', 'Generated by SchoolPro is not a name'],
      ['Adm No,Student,3', 'student', 'Student is not a name'],
      [',Number of pupils,3', 'student', 'Number of pupils is a total, not a child'],
      ['9,45,3', 'student', '45 is not a name'],
      ['9,n/a,3', 'student', 'The name of the child is missing'],
      ['9,\u3164,3', 'student', 'The name of the child is missing'],
    ])('of the row %s says what is wrong and makes no child', async (row, column, message) => {
      const { lines, errors } = await read(`Adm No,Student,Grade\n${row}\n1,Total Chanda,3\n`)
      expect(lines.map(({ name }) => name)).toEqual(['Total Chanda'])
      expect(errors).toEqual([{ row: 2, column, message }])
    })

    test('with a row of other cells than the head leaves it out, and nobody in it leaves', async () => {
      const file = await read('Adm No,Student,Grade\nA-1,Banda, Mary,4\nA-2,Luse,3\n')
      expect(file.errors).toEqual([{ row: 2, column: null, message: expect.stringContaining('4 cells') }])
      expect(file.lines).toHaveLength(1)
      expect(file.unread).toContainEqual({ name: 'A-1', admissionNumber: 'A-1' })
    })

    test.each([
      ['(097) 712 3456', '(097) 712 3456'],
      ['+260977123456/+260966123456', '+260977123456'],
      ['0977 123 456 or 0966 123 456', '0977 123 456'],
      ['0000000000 / 0966 123 456', '0966 123 456'],
      ['n/a', null],
      ['0000000000', null],
      ['-', null],
      ['977123456.0', '977123456'],
      ['+260 (0)977 123 456', '+260 (0)977 123 456'],
      ['０９７７１２３４５６', '0977123456'],
      ['\u202a0977123456\u202c', '0977123456'],
      ['9.77123456E+8', 'error'],
      ['0977123456 (mum)', '0977123456'],
      ['0977 123 456 mother', '0977 123 456'],
      ['0977·123·456', '0977.123.456'],
      ['0977_123_456', '0977 123 456'],
      ['٠٩٧٧١٢٣٤٥٦', '0977123456'],
      ['ask the aunt', 'error'],
      ['2.60977E+11', 'error'],
      ['12', 'error'],
    ])('reads the phone %s as %s', async (cell, phone) => {
      const { lines, errors } = await read(`student,grade,phone\nMary,4,${cell}\n`)
      expect(errors).toEqual(
        phone === 'error' ? [{ row: 2, column: 'phone', message: `${cell} is not a phone number` }] : [],
      )
      expect(lines.map((line) => line.phone)).toEqual(phone === 'error' ? [] : [phone])
    })

    test.each([
      ['1,001', '1001'],
      ['00', null],
      ['0', null],
      ['nil', null],
    ])('reads the number %s as %s', async (cell, number) => {
      const { lines } = await read(`Adm No,Student,Grade\n"${cell}",Mary,4\n`)
      expect(lines.map(({ admissionNumber }) => admissionNumber)).toEqual([number])
    })

    test.each([
      'test1@test.com',
      'test123@gmail.com',
      'nobody@nowhere.com',
      'dont.have@gmail.com',
      'user@test.com',
    ])('takes the address %s for none', async (email) => {
      const { lines } = await read(`student,grade,email\nMary,4,${email}\n`)
      expect(lines[0]!.email).toBeNull()
    })

    test('takes what says that there is nothing for nothing, and names it', async () => {
      const file = await read(
        'student,grade,guardian,email,phone\nMary,4,Mother,none@none.com,0000000000\nLuse,3,n/a,-,nil\n',
      )
      expect(file.lines.map(({ guardian, email, phone }) => [guardian, email, phone])).toEqual([
        ['Mother', null, null],
        [null, null, null],
      ])
      expect(file.placeholders?.map(({ row, value }) => [row, value])).toEqual([
        [2, 'none@none.com'],
        [2, '0000000000'],
        [3, 'n/a'],
        [3, '-'],
        [3, 'nil'],
      ])
    })

    test('keeps the commas of a file with semicolons', async () => {
      const { lines } = await read(
        'student;grade;guardian\nBanda, Mary;4;Banda, Ruth, Mrs\nPhiri, John;5;Phiri, Paul, Mr\n',
      )
      expect(lines.map(({ name, guardian }) => [name, guardian])).toEqual([
        ['Banda, Mary', 'Banda, Ruth, Mrs'],
        ['Phiri, John', 'Phiri, Paul, Mr'],
      ])
    })
  })

  type Guardian = { name?: string; email?: string; phone?: string }

  const child = (id: number, { name, email, phone }: Guardian): RollChild => ({
    id,
    userId: null,
    name: 'Chipo',
    grade: '3',
    class: null,
    admissionNumber: null,
    guardianName: name ?? null,
    guardianEmail: email ?? null,
    guardianPhone: phone ?? null,
    onRollSince: new Date('2026-01-10T08:00:00Z'),
    leftAt: null,
  })

  const families = (...guardians: Guardian[]) =>
    familiesOf(guardians.map((guardian, index) => child(index + 1, guardian))).map((family) =>
      family.map(({ id }) => id),
    )

  const one = 'one@example.org'
  const two = 'two@example.org'
  const phone = '0977 100 200'

  test.each<[string, Guardian[], number[][]]>([
    [
      'the same address is one family, however it is written',
      [{ email: one }, { email: 'ONE@example.org' }],
      [[1, 2]],
    ],
    [
      'two addresses are two, also with one phone and name',
      [
        { email: one, phone, name: 'Banda' },
        { email: two, phone, name: 'Banda' },
      ],
      [[1], [2]],
    ],
    [
      'without an address the phone counts, with or without the country',
      [{ email: one, phone }, { phone: '+260 977 100200' }, { phone }],
      [[1, 2, 3]],
    ],
    [
      'a phone of two families is neither’s',
      [{ email: one, phone }, { email: two, phone }, { phone }],
      [[1], [2], [3]],
    ],
    [
      'a name alone joins nobody',
      [{ name: 'Mrs  Banda' }, { name: 'mrs banda' }, { name: 'Mrs Banda', phone }],
      [[3], [1], [2]],
    ],
    [
      'an address of different guardians joins nobody',
      [
        { name: 'Ruth Banda', email: one },
        { name: 'Paul Phiri', email: one },
      ],
      [[1], [2]],
    ],
    [
      'nor does one that more children have than a family, where nobody is named',
      Array.from({ length: 9 }, () => ({ name: 'Mother', email: one })),
      Array.from({ length: 9 }, (_, index) => [index + 1]),
    ],
    [
      'nor does their phone, also beside an address',
      [
        { name: 'Ruth Banda', phone },
        { name: 'Paul Phiri', email: two, phone: '+260977100200' },
      ],
      [[2], [1]],
    ],
    [
      'where an address is several guardians’ the phone counts',
      [
        { name: 'Ruth Banda', email: one, phone },
        { name: 'Mrs R. Banda', email: one, phone },
        { name: 'Paul Phiri', email: one },
      ],
      [[1, 2], [3]],
    ],
    [
      'a guardian may be written in other ways, or not named',
      [
        { name: 'Mrs Ruth Ng’andu', email: one },
        { name: "NG'ANDU, Ruth", email: one },
        { name: 'Mother', email: one },
        { email: one },
      ],
      [[1, 2, 3, 4]],
    ],
    ['a placeholder of an address', [{ email: 'none@none.com' }, { email: 'none@none.com' }], [[1], [2]]],
    ...['none@school.org', 'test@test.com', 'a@a.zm', 'n/a', 'noemail@gmail.com', 'NIL@x.org'].map(
      (email): [string, Guardian[], number[][]] => [
        `${email} joins nobody`,
        [
          { name: 'Mother', email },
          { name: 'Mother', email },
        ],
        [[1], [2]],
      ],
    ),
    ...[
      '0000000000',
      '0999999999',
      '123456789',
      '0123456789',
      'n/a',
      '-',
      'unknown',
      '0970000000',
      '1111',
    ].map((number): [string, Guardian[], number[][]] => [
      `${number} joins nobody`,
      [{ phone: number }, { phone: number }],
      [[1], [2]],
    ]),
    ['of whom nothing is known, everybody is a family', [{}, {}], [[1], [2]]],
  ])('%s', (_what, guardians, expected) => expect(families(...guardians)).toEqual(expected))

  describe('a claim code', () => {
    test('has 8 letters, none like another and no vowel', () => {
      for (let made = 0; made < 200; made += 1) expect(newClaimCode()).toMatch(/^[BCDFGHJKMNPRSTVWXYZ]{8}$/)
    })

    test('is found however it is typed, also when the key has changed since; and by no other key', () => {
      const stored = claimCodeHashes(['old key']).stored('BCDFGHJK')
      expect(stored).not.toContain('BCDFGHJK')
      expect(claimCodeHashes(['new key', 'old key']).sought(' bcdf-ghjk ')).toContain(stored)
      expect(claimCodeHashes(['new key']).sought('BCDFGHJK')).not.toContain(stored)
    })
  })
})

describe('promotion', () => {
  const applied = new Date('2027-01-04T08:00:00Z')
  const previewed: Promotion = {
    id: '01920000-0000-7000-8000-000000000001',
    rename: true,
    previewedAt: new Date('2027-01-04T07:00:00Z'),
    appliedAt: null,
    undoneAt: null,
  }
  const done: Promotion = { ...previewed, appliedAt: applied }
  const code = (name: string) => expect.objectContaining({ code: name })
  const child = (grade: string, inClass: string | null = null) => ({ id: 118, grade, class: inClass })
  const rename = { rename: true }

  describe('the class of the next grade', () => {
    test.each([
      ['3B', '3', '4', '4B'],
      ['9 Blue', '9', '10', '10 Blue'],
      ['5', '5', '6', '6'],
      ['Lions', '3', '4', 'Lions'],
      ['4B', '3', '4', '4B'],
      ['30B', '3', '4', '30B'],
      ['03B', '3', '4', '03B'],
      ['KA', 'K', '1', 'KA'],
      ['9 of nineteen signs', '9', '10', '10 of nineteen signs'],
      ['9 of twenty character', '9', '10', '9 of twenty character'],
      [null, '3', '4', null],
    ])('%s of grade %s, now %s, is %s', (name, before, after, renamed) => {
      expect(renamedClass(name, before, after)).toBe(renamed)
    })
  })

  describe('a year move', () => {
    test.each([
      ['ELC', 'K'],
      ['K', '1'],
      ['5', '6'],
      ['9', '10'],
      ['11', '12'],
    ])('takes grade %s to %s', (before, after) => {
      expect(planPromotion([child(before)], rename)).toEqual([
        expect.objectContaining({ studentId: 118, gradeBefore: before, gradeAfter: after, leaves: false }),
      ])
    })

    test('lets grade 12 leave, with grade and class as they are', () => {
      expect(planPromotion([child('12', '12A')], rename)).toEqual([
        expect.objectContaining({ gradeAfter: '12', classAfter: '12A', leaves: true }),
      ])
    })

    test('takes a class that was stored as it was typed to the next in the one form', () => {
      const [step] = planPromotion([child('3', 'Grade 3 B')], rename)
      expect(step).toMatchObject({ classBefore: 'Grade 3 B', classAfter: '4B' })
    })

    test('leaves classes alone when asked to', () => {
      const [step] = planPromotion([child('3', '3B')], { rename: false })
      expect(step).toMatchObject({ gradeAfter: '4', classBefore: '3B', classAfter: '3B' })
    })
  })

  describe('applying', () => {
    test('nothing that was never previewed', () => {
      expect(() => decideKnown(undefined)).toThrow(code('promotion_not_found'))
      expect(decideKnown(previewed)).toBe(previewed)
    })

    test('once', () => {
      expect(decideApplying(previewed)).toBe(true)
      expect(decideApplying(done)).toBe(false)
      expect(() => decideApplying({ ...done, undoneAt: applied })).toThrow(code('promotion_undone'))
    })

    const plan = planPromotion([child('3', '3B')], rename)
    test('exactly what was previewed', () => {
      expect(() => decideUnchanged(plan, planPromotion([child('3', '3B')], rename))).not.toThrow()
    })

    test.each([
      ['another grade', [child('4', '3B')]],
      ['another class', [child('3', '3C')]],
      ['a child less', []],
      ['a child more', [child('3', '3B'), { ...child('1'), id: 119 }]],
      ['another child', [{ ...child('3', '3B'), id: 119 }]],
    ])('not with %s', (_what, children) => {
      expect(() => decideUnchanged(plan, planPromotion(children, rename))).toThrow(code('roll_changed'))
    })
  })

  describe('undoing', () => {
    const days = (count: number) => new Date(applied.getTime() + count * 24 * 3_600_000)
    test('within seven days, once', () => {
      expect(decideUndoing(done, { now: days(7), isLast: true })).toBe(true)
      expect(decideUndoing({ ...done, undoneAt: applied }, { now: days(9), isLast: false })).toBe(false)
    })

    test.each([
      ['what was not applied', previewed, days(0), true, 'promotion_not_applied'],
      ['after seven days', done, new Date(days(7).getTime() + 1), true, 'undo_too_late'],
      ['after another year move', done, days(1), false, 'promotion_not_last'],
    ])('not %s', (_what, promotion, now, isLast, refusal) => {
      expect(() => decideUndoing(promotion, { now, isLast })).toThrow(code(refusal))
    })

    const [step] = planPromotion([child('3', '3B')], rename)
    const [leaving] = planPromotion([child('12')], rename)
    test.each([
      ['is as it was left', step!, { ...child('4', '4B'), leftAt: null }, true],
      ['has another grade', step!, { ...child('3', '4B'), leftAt: null }, false],
      ['has another class', step!, { ...child('4', '4A'), leftAt: null }, false],
      ['has left since', step!, { ...child('4', '4B'), leftAt: days(1) }, false],
      ['left with it', leaving!, { ...child('12'), leftAt: applied }, true],
      ['was taken back', leaving!, { ...child('12'), leftAt: null }, false],
      ['left on another day', leaving!, { ...child('12'), leftAt: days(1) }, false],
    ])('a child that %s', (_what, one, now, asLeft) => {
      expect(isAsPromoted(one, now, done)).toBe(asLeft)
    })
  })
})
