import { screen, waitFor, within } from '@testing-library/react'
import type { ReplyOf } from '#contracts/endpoint'
import { previewedRows, previewRoll } from '#contracts/roll-import'
import { refusal, type Asked, type FakeServer } from './fake-server'
import { byState, chooseList, importServer, looked, openImport, press, said } from './import-steps'
import { forgetToasts } from './open-console'
import { changedRow, matchedRow, newRow, previewOf, rowsOf } from './sample-import'
import { unanswered } from './sample-parents'

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

describe('the preview', () => {
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
        errors: [
          { row: 1204, column: 'grade', message: '13 is no grade: write ELC, K or 1 to 12' },
          {
            row: 1205,
            column: 'admissionNumber',
            message: 'A spreadsheet has shortened the number to 1.2E+10',
          },
          { row: 1205, column: 'admissionNumber', message: '1.2E+10 stands in several rows' },
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
    const mistakes = within(screen.getByRole('region', { name: 'Mistakes' }))
    expect(
      mistakes
        .getAllByRole('row')
        .slice(1, 3)
        .map(({ textContent }) => textContent),
    ).toEqual([
      '1204Grade13 is no grade: write ELC, K or 1 to 12',
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
    await said('1 decision that you have made would be lost.')
    await press(hands, 'Leave It')
    expect(await screen.findByLabelText('CSV file')).toBeInTheDocument()
  })

  test('that would change nothing offers nothing to apply', async () => {
    server.on(previewRoll, previewOf({ new: 0, same: 40 }))
    await looked()
    await said('The roll is already as in this list.')
    expect(screen.queryByRole('button', { name: 'Apply List' })).not.toBeInTheDocument()
  })
})
