import { screen, within } from '@testing-library/react'
import { lastRollImport, undoRoll } from '#contracts/roll-import'
import { refusal, type FakeServer } from './fake-server'
import { importServer, openImport, press, said } from './import-steps'
import { forgetToasts } from './open-console'
import { lastImport } from './sample-import'
import { unanswered } from './sample-parents'

let server: FakeServer
beforeEach(() => {
  server = importServer()
})
afterEach(forgetToasts)

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
