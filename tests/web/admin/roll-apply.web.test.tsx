import { screen, waitFor, within } from '@testing-library/react'
import { applyRoll, leavingChildren, previewedRows, previewRoll } from '#contracts/roll-import'
import { messageOf } from '../open-portal'
import { refusal, type FakeServer } from './fake-server'
import { byState, importServer, looked, press, said } from './import-steps'
import { forgetToasts } from './open-console'
import { matchedRow, previewOf, resultOf, rowsOf, taonga } from './sample-import'
import { unanswered } from './sample-parents'

let server: FakeServer
beforeEach(() => {
  server = importServer()
})
afterEach(forgetToasts)

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
    await said('2 of 3 decided')
    await said('2 children new, 1 changed, 1 undecided row left out')
    await press(hands, 'Apply List')
    await said('The list is applied')
    expect(sentBodies()).toEqual([{ remove: false, decisions: { 5: 64, 6: 'new' } }])
    await said('1 row left out, because nobody decided on them')
  })

  test('what is clear is decided at once, on all pages', async () => {
    const second = { ...matchedRow, row: 9, candidates: [{ ...taonga, id: 70 }] }
    server.on(previewedRows, ({ query }) =>
      query['page'] === 2 ? rowsOf([second, twoWays], 2) : rowsOf([matchedRow], 2),
    )
    const hands = await looked()
    await press(hands, 'Accept All Clear Matches')
    await said('2 of 3 decided')
    await press(hands, 'Apply List')
    await waitFor(() => expect(sentBodies()).toEqual([{ remove: false, decisions: { 4: 61, 9: 70 } }]))
  })

  test('decisions are cleared again', async () => {
    const hands = await looked()
    await press(hands, 'Accept All Clear Matches')
    await said('1 of 3 decided')
    await press(hands, 'Clear Decisions')
    await said('0 of 3 decided')
  })
})

describe('applying', () => {
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
    const message = 'The roll was changed since. Upload the file again to see what it would do now.'
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
