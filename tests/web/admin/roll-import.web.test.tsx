import { screen, waitFor, within } from '@testing-library/react'
import type { ReplyOf } from '#contracts/endpoint'
import {
  previewedRows,
  previewLetters,
  previewRoll,
  applyRoll,
  leavingChildren,
  lastRollImport,
  undoRoll,
} from '#contracts/roll-import'
import { messageOf } from '../open-portal'
import { type Asked, type FakeServer, refusal } from './fake-server'
import { byState, chooseList, importServer, looked, openImport, press, said } from './import-steps'
import { forgetToasts } from './open-console'
import {
  changedRow,
  matchedRow,
  newRow,
  previewOf,
  rowsOf,
  resultOf,
  taonga,
  lastImport,
} from './sample-roll'
import { unanswered } from './sample-settings'

let server: FakeServer
beforeEach(() => {
  server = importServer()
})
afterEach(forgetToasts)

describe('choosing a list', () => {
  test('says what the file has to hold, and gives a template', async () => {
    const saved: string[] = []
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download)
    })
    URL.createObjectURL = () => 'blob:template'
    URL.revokeObjectURL = () => undefined
    const hands = openImport()
    const help = within(await screen.findByRole('region', { name: 'What the file holds' }))
    expect(help.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
      'Admission number',
      'Student (needed)',
      'Grade (needed)',
      'Class',
      'Guardian',
      'Email',
      'Phone',
      'Bursary',
      'Sponsor',
    ])
    await press(hands, 'Download Template')
    await said('Template Downloaded')
    expect(saved).toEqual(['school-list-template.csv'])
  })

  test('sends the file, with a bar that tells how much has gone and then that it is worked on', async () => {
    let finish: (preview: ReplyOf<typeof previewRoll>) => void
    server.on(previewRoll, () => new Promise((resolve) => (finish = resolve)))
    const release = server.holdUploads()
    const hands = openImport()
    await chooseList(hands)
    const bar = await screen.findByRole('progressbar')
    await waitFor(() => expect(bar).toHaveAttribute('value', '0.3'))
    expect(screen.getByText('Uploading … 30 %')).toBeInTheDocument()
    release()
    await said('Comparing the list with the roll …')
    expect(screen.getByRole('progressbar')).not.toHaveAttribute('value')
    finish!(previewOf())
    await waitFor(() => expect(screen.getByText('What the list would change')).toHaveFocus())
    const [{ body }] = server.asked(previewRoll) as [Asked]
    expect((body as FormData).get('file')).toHaveProperty('name', 'roll.csv')
  })

  test('without a file asks for one', async () => {
    await press(openImport(), 'Check File')
    await said('Choose the CSV file of the list first.')
    expect(server.asked(previewRoll)).toEqual([])
  })

  test.each([
    ['the words of the server', () => refusal(422, 'not_csv', 'This is a spreadsheet. Save it as CSV.')],
    ['its own words', unanswered],
  ])('that cannot be read says so in %s', async (_name, answer) => {
    server.on(previewRoll, answer)
    await chooseList(openImport())
    await said(/Save it as CSV|could not be read/)
    expect(screen.getByRole('button', { name: 'Check File' })).toBeEnabled()
  })
})

describe('a list of unknown columns', () => {
  const heads = ['Person', 'Kin', 'Years']

  test('is asked about, with a guess, and sent again as they are matched', async () => {
    server.on(previewRoll, ({ body }) =>
      (body as FormData).has('mapping')
        ? previewOf()
        : refusal(422, 'mapping_needed', 'We guessed columns. Choose the others, then go on.', {
            heads,
            sample: [['Mary', 'Banda', '4']],
            guess: { grade: 'Years' },
          }),
    )
    const hands = openImport()
    await chooseList(hands)
    await said('Which column is which?')
    expect(screen.getByLabelText('Grade')).toHaveValue('Years')
    await press(hands, 'Check File')
    await said('Choose the column with the name of the child')
    await hands.selectOptions(screen.getByLabelText('First name of the child'), 'Person')
    await hands.selectOptions(screen.getByLabelText('Surname of the child'), 'Kin')
    await press(hands, 'Check File')
    await said('What the list would change')
    const sent = server.asked(previewRoll).map(({ body }) => (body as FormData).get('mapping'))
    expect(JSON.parse(sent[1] as string)).toEqual({ firstName: 'Person', lastName: 'Kin', grade: 'Years' })
  })

  test('can be left for another file', async () => {
    server.on(previewRoll, () =>
      refusal(422, 'mapping_needed', 'Match the columns of this file', { heads, sample: [] }),
    )
    const hands = openImport()
    await chooseList(hands)
    await press(hands, 'Cancel')
    expect(await screen.findByLabelText('CSV file')).toBeInTheDocument()
  })
})

describe('the preview', () => {
  test('says which rows are left out and what the file says beside', async () => {
    const note = 'The file is not UTF-8'
    server.on(
      previewRoll,
      previewOf({
        leftOut: [{ row: 9, reason: 'the headings again', amount: null }],
        leftOutCount: 1,
        notes: [note],
      }),
    )
    await looked()
    await said('1 row left out')
    await said(note)
    await said('Row 9: the headings again')
  })

  test('names columns that are not read and values that join nobody', async () => {
    const students = ['Chanda Mulenga', 'Bupe Zulu']
    server.on(
      previewRoll,
      previewOf({
        notRead: ['Sex', "Mother's name"],
        notJoined: [{ column: 'phone', value: '0000000000', why: 'placeholder', children: 3, students }],
      }),
    )
    await looked()
    await said("Sex, Mother's name")
    await said('0000000000')
    await said('Chanda Mulenga, Bupe Zulu and 1 more')
  })

  test('counts what the list does, and names each mistake by row and column', async () => {
    server.on(
      previewRoll,
      previewOf({
        new: 1200,
        changed: 31,
        same: 200,
        leaving: 4,
        leftOutCount: 5,
        errors: [
          { row: 1204, column: 'grade', message: '13 is not a grade: write ELC, K or 1 to 12' },
          {
            row: 1205,
            column: 'admissionNumber',
            message: 'A spreadsheet has shortened the number to 1.2E+10',
          },
          { row: 1205, column: 'admissionNumber', message: '1.2E+10 is in several rows' },
        ],
      }),
    )
    await looked()
    for (const [name, count] of [
      ['New', '1,200'],
      ['Changed', '31'],
      ['Same', '200'],
      ['Not in the list', '4'],
      ['Mistakes', '3'],
    ] as const) {
      const [term] = screen.getAllByText(name, { selector: 'dt' })
      expect(term!.nextElementSibling).toHaveTextContent(new RegExp(`^${count}`))
    }
    await said('1,438 rows: 1,431 children, 5 left out, 2 with mistakes')
    const mistakes = within(screen.getByRole('region', { name: 'Mistakes' }))
    expect(
      mistakes
        .getAllByRole('row')
        .slice(1, 3)
        .map(({ textContent }) => textContent),
    ).toEqual([
      '1204Grade13 is not a grade: write ELC, K or 1 to 12',
      '1205Admission numberA spreadsheet has shortened the number to 1.2E+10',
    ])
  })

  test('shows the rows with what each changes, of one state where that is asked for', async () => {
    server.on(previewedRows, rowsOf([newRow, changedRow]))
    const hands = await looked()
    const row = (await screen.findByText('Mapalo Zulu')).closest<HTMLElement>('[role=row]')!
    expect(
      within(row)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Grade: 1 → 2',
      'Guardian: none → Mrs Banda',
      'Phone: none → 0977 100 200',
      'Comes onto the roll',
    ])
    await hands.selectOptions(screen.getByLabelText('Show'), 'Changed (0)')
    await waitFor(() =>
      expect(server.asked(previewedRows).at(-1)?.query).toEqual({ page: 1, limit: 10, state: 'changed' }),
    )
  })

  test('stays while another tab is looked at, with what was decided', async () => {
    server.on(previewRoll, previewOf({ matched: 1 }))
    server.on(previewedRows, byState(rowsOf([matchedRow])))
    const hands = await looked()
    await hands.selectOptions(await screen.findByLabelText(/^Which child is row 4/), 'A new child')
    await hands.click(screen.getByRole('tab', { name: 'Parents' }))
    await hands.click(screen.getByRole('tab', { name: 'Import' }))
    expect(await screen.findByLabelText(/^Which child is row 4/)).toHaveValue('new')
    await press(hands, 'Choose Another File')
    await said('The decisions that you have made would be lost.')
    await press(hands, 'Leave It')
    expect(await screen.findByLabelText('CSV file')).toBeInTheDocument()
  })

  test('is left without a question where only clear matches are chosen', async () => {
    server.on(previewRoll, previewOf({ matched: 1 }))
    server.on(previewedRows, byState(rowsOf([matchedRow])))
    const hands = await looked()
    await said('1 of 1 decided')
    await press(hands, 'Choose Another File')
    expect(await screen.findByLabelText('CSV file')).toBeInTheDocument()
  })

  test('that would change nothing offers nothing to apply', async () => {
    server.on(previewRoll, previewOf({ new: 0, same: 40 }))
    await looked()
    await said('The roll is already as in this list.')
    expect(screen.queryByRole('button', { name: 'Apply List' })).not.toBeInTheDocument()
  })
})

describe('a list that is being applied', () => {
  type Reply = ReplyOf<typeof applyRoll>
  const begun = async () => {
    let answer: (reply: Reply | Promise<Reply>) => void = () => undefined
    const waiting = new Promise<Reply>((resolve) => (answer = resolve))
    server.on(applyRoll, () => waiting)
    const hands = await looked()
    await press(hands, 'Apply List')
    await said(/^Applying the list\. You can leave/)
    await hands.click(screen.getByRole('tab', { name: 'Roll' }))
    await waitFor(() => expect(screen.queryByText(/^Applying the list/)).not.toBeInTheDocument())
    return { hands, answer }
  }
  const back = (hands: Awaited<ReturnType<typeof looked>>) =>
    hands.click(screen.getByRole('tab', { name: 'Import' }))

  test('can be left: it is told elsewhere when it is done, and its letters wait', async () => {
    const { hands, answer } = await begun()
    answer(resultOf())
    await said('The list is applied')
    forgetToasts()
    await back(hands)
    await said('The list is applied')
    expect(server.asked(applyRoll)).toHaveLength(1)
  })

  test('cannot be applied a second time by who comes back', async () => {
    const { hands, answer } = await begun()
    await back(hands)
    await said(/^Applying the list\. You can leave/)
    expect(screen.queryByRole('button', { name: 'Apply List' })).not.toBeInTheDocument()
    answer(resultOf())
    await said('The list is applied')
  })

  test('says elsewhere too why it was not', async () => {
    const { answer } = await begun()
    answer(Promise.resolve().then(() => refusal(409, 'roll_changed', 'The roll has changed since')))
    await said('The roll has changed since')
  })
})

const sentBodies = () => server.asked(applyRoll).map(({ body }) => body)

describe('deciding on rows that may be here already', () => {
  const other = { ...taonga, id: 63, parent: null, account: null, guardian: 'Mrs Mwale' }
  const twoWays = { ...matchedRow, row: 5, candidates: [{ ...taonga, id: 64 }, other], isClear: false }
  beforeEach(() => {
    server.on(previewRoll, previewOf({ matched: 3 }))
    server.on(previewedRows, byState(rowsOf([matchedRow, twoWays, { ...twoWays, row: 6 }])))
  })

  test('one child is one row; what is not decided is left out', async () => {
    server.on(applyRoll, resultOf({ changed: 1, leftOut: 1 }))
    const hands = await looked()
    await hands.selectOptions(
      await screen.findByLabelText(/^Which child is row 5/),
      'Taonga Mwale, account mwale, mwale@example.org (verified)',
    )
    const taken = within(screen.getByLabelText(/^Which child is row 6/)).getByRole('option', {
      name: 'Taonga Mwale, account mwale, mwale@example.org (verified) (is row 5)',
    })
    expect(taken).toBeDisabled()
    await hands.selectOptions(screen.getByLabelText(/^Which child is row 6/), 'A new child')
    await hands.selectOptions(screen.getByLabelText(/^Which child is row 4/), 'Not decided: skipped')
    await said('2 of 3 decided')
    await said('2 children new, 1 changed, 1 undecided row left out')
    await press(hands, 'Apply List')
    await said('The list is applied')
    expect(sentBodies()).toEqual([{ remove: false, decisions: { 5: 64, 6: 'new' } }])
    await said('1 row left out, because nobody decided on them')
  })

  test('what is clear is decided beforehand, on all pages', async () => {
    const second = { ...matchedRow, row: 9, candidates: [{ ...taonga, id: 70 }] }
    server.on(previewedRows, ({ query }) =>
      query['page'] === 2 ? rowsOf([second, twoWays], 2) : rowsOf([matchedRow], 2),
    )
    const hands = await looked()
    await said('2 of 3 decided')
    await press(hands, 'Apply List')
    await waitFor(() => expect(sentBodies()).toEqual([{ remove: false, decisions: { 4: 61, 9: 70 } }]))
  })

  test('decisions are cleared again, and what is clear is chosen by its button', async () => {
    const hands = await looked()
    await said('1 of 3 decided')
    expect(screen.queryByRole('button', { name: 'Accept All Clear Matches' })).not.toBeInTheDocument()
    await press(hands, 'Clear Decisions')
    await said('0 of 3 decided')
    await press(hands, 'Accept All Clear Matches')
    await said('1 of 3 decided')
  })

  test('where the rows cannot be read nothing is chosen beforehand', async () => {
    server.on(previewedRows, unanswered)
    await looked()
    await said('0 of 3 decided')
  })
})

describe('applying', () => {
  test.each([
    [0, 0, 'No letters with claim codes are made.'],
    [1, 0, '1 family gets a letter with a claim code. None goes out by mail: print them.'],
    [1, 1, '1 family gets a letter with a claim code. It goes out by mail as soon as you apply the list.'],
    [34, 34, '34 families get a letter with a claim code. All go out by mail as soon as you apply the list.'],
    [
      34,
      30,
      '34 families get a letter with a claim code. 30 go out by mail as soon as you apply the list. 4 are only to print.',
    ],
  ])('says before that of %d letters %d go out by mail', async (letters, mailed, text) => {
    server.on(previewLetters, { letters, mailed })
    await looked()
    await said(text)
    expect(sentBodies()).toEqual([])
  })

  test('counts the letters for what is chosen', async () => {
    server.on(previewRoll, previewOf({ matched: 1, leaving: 1 }))
    server.on(previewedRows, byState(rowsOf([matchedRow])))
    const hands = await looked()
    await hands.click(await screen.findByRole('checkbox'))
    await hands.selectOptions(screen.getByLabelText(/^Which child is row 4/), 'A new child')
    await waitFor(() =>
      expect(server.asked(previewLetters).map(({ body }) => body)).toEqual([
        { remove: false, decisions: { 4: 61 } },
        { remove: true, decisions: { 4: 61 } },
        { remove: true, decisions: { 4: 'new' } },
      ]),
    )
  })

  test('lets nobody leave unless that is ticked', async () => {
    server.on(previewRoll, previewOf({ leaving: 4 }))
    const hands = await looked()
    await press(hands, 'Apply List')
    await waitFor(() => expect(sentBodies()).toEqual([{ remove: false, decisions: {} }]))
  })

  test('a tenth of the roll leaves by a tick, more only when the number is typed', async () => {
    server.on(previewRoll, previewOf({ leaving: 5 }))
    server.on(applyRoll, resultOf({ left: 4, kept: [{ id: 9, name: 'Bupe Zulu', class: '3A' }] }))
    const hands = await looked()
    await hands.click(
      await screen.findByRole('checkbox', { name: /^Remove the 5 children who are not in the list/ }),
    )
    const field = await screen.findByLabelText(/more than a tenth of the roll/)
    await hands.type(field, '4')
    await press(hands, 'Apply List')
    await waitFor(() => expect(messageOf(field)).toBe('Type 5 if so many are to leave'))
    expect(sentBodies()).toEqual([])
    await hands.clear(field)
    await hands.type(field, '5')
    await press(hands, 'Apply List')
    await said('4 left')
    expect(sentBodies()).toEqual([{ remove: true, confirm: 5, decisions: {} }])
    await said('1 child is not in the list and kept: they have lunches to come')
    await said('Bupe Zulu, 3A')
  })

  test('who would leave is shown by name, before anybody is removed', async () => {
    server.on(previewRoll, previewOf({ leaving: 1 }))
    server.on(leavingChildren, { data: [{ ...taonga, class: '3A' }], metadata: rowsOf([]).metadata })
    const hands = await looked()
    await press(hands, 'Show Who Is Not in the List')
    const shown = within(await screen.findByRole('dialog', { name: 'Not in the list' }))
    expect(await shown.findByRole('listitem')).toHaveTextContent('Taonga Mwale 3A · account of Mr Mwale')
    expect(sentBodies()).toEqual([])
  })

  test('exactly a tenth is not asked for', async () => {
    server.on(previewRoll, previewOf({ leaving: 4 }))
    const hands = await looked()
    await hands.click(await screen.findByRole('checkbox'))
    expect(screen.queryByLabelText(/more than a tenth/)).not.toBeInTheDocument()
    await press(hands, 'Apply List')
    await waitFor(() => expect(sentBodies()).toEqual([{ remove: true, confirm: 4, decisions: {} }]))
  })

  test('where the roll has changed since, the file is looked through again and good decisions stay', async () => {
    server.on(previewRoll, previewOf({ matched: 2 }))
    server.on(previewedRows, byState(rowsOf([matchedRow, { ...matchedRow, row: 8 }])))
    const message = 'The roll has changed since. Upload the file again to see what it would do now.'
    server.on(applyRoll, () => refusal(409, 'roll_changed', message))
    const hands = await looked()
    await hands.selectOptions(
      await screen.findByLabelText(/^Which child is row 4/),
      'Taonga Mwale, account mwale, mwale@example.org (verified)',
    )
    await hands.selectOptions(screen.getByLabelText(/^Which child is row 8/), 'A new child')
    await press(hands, 'Apply List')
    await said(message)
    // Row 4 is no longer matched: somebody has given the child its number.
    const fresh = '01990000-0000-7000-8000-00000000000b'
    server.on(previewRoll, previewOf({ id: fresh, changed: 1, matched: 1 }))
    server.on(previewedRows, byState(rowsOf([{ ...matchedRow, row: 8 }])))
    await press(hands, 'Check the File Again')
    await said('1 of 1 decided')
    server.on(applyRoll, resultOf())
    await press(hands, 'Apply List')
    await said('The list is applied')
    expect(server.asked(applyRoll)).toEqual([
      expect.objectContaining({ params: { id: fresh }, body: { remove: false, decisions: { 8: 'new' } } }),
    ])
  })

  test('that failed without words says so, and can be tried again', async () => {
    server.on(applyRoll, unanswered)
    const hands = await looked()
    await press(hands, 'Apply List')
    await said('Failed to apply the list')
    expect(screen.getByRole('button', { name: 'Apply List' })).toBeEnabled()
  })
})

const undo = async () => {
  const hands = openImport()
  await press(hands, 'Undo Import')
  const asked = within(await screen.findByRole('dialog', { name: 'Undo the last import?' }))
  await hands.click(asked.getByRole('button', { name: 'Undo Import' }))
}

describe('the last import', () => {
  beforeEach(() => server.on(lastRollImport, lastImport))

  test('is undone after asking; who stays as they are is named', async () => {
    server.on(undoRoll, () => {
      server.on(lastRollImport, { import: null })
      return { undone: 31, kept: [{ id: 9, name: 'Bupe Zulu', class: null }] }
    })
    await undo()
    await said('Import undone: 31 children as before')
    await said(/^1 child stays as the import made them/)
    await said('Bupe Zulu')
    expect(screen.queryByText('The last import')).not.toBeInTheDocument()
  })

  test('is not undone where something was ordered since: the children are named', async () => {
    const students = [{ id: 9, name: 'Bupe Zulu', class: '3A' }]
    server.on(undoRoll, () =>
      refusal(409, 'ordered_since', 'Something was ordered since for Bupe Zulu', { students }),
    )
    await undo()
    const refused = within(await screen.findByRole('alert'))
    expect(refused.getByText('Something was ordered since for Bupe Zulu')).toBeInTheDocument()
    expect(refused.getByText('Bupe Zulu, 3A')).toBeInTheDocument()
  })

  test('is not undone after 7 days', async () => {
    server.on(undoRoll, () => refusal(409, 'undo_too_late', 'An import can be undone for 7 days'))
    await undo()
    await said('An import can be undone for 7 days')
  })

  test('that could not be read says so', async () => {
    server.on(lastRollImport, unanswered)
    openImport()
    await said('Failed to fetch the last import')
  })
})
