import { screen } from '@testing-library/react'
import { applyRoll, lastRollImport, previewedRows, previewLetters, previewRoll } from '#contracts/roll-import'
import { fakeServer, type Asked } from './fake-server'
import { adminWith, openConsole } from './open-console'
import { newRow, previewOf, resultOf, rowsOf } from './sample-roll'

/** A school that has imported nothing, and to which every list is one new child. */
export const importServer = () => {
  const server = fakeServer()
  server.on(lastRollImport, { import: null })
  server.on(previewRoll, previewOf())
  server.on(previewedRows, rowsOf([newRow]))
  server.on(previewLetters, { letters: 1, mailed: 0 })
  server.on(applyRoll, resultOf())
  return server
}

/** Answers these rows as those to decide on, and a new child as all others. */
export const byState =
  (rows: ReturnType<typeof rowsOf>) =>
  ({ query }: Asked) =>
    query['state'] === 'matched' ? rows : rowsOf([newRow])

export const openImport = () =>
  openConsole('/?section=parents_students&tab=import', adminWith('parents_students'))
export type Hands = ReturnType<typeof openImport>

export const said = async (text: string | RegExp) => expect(await screen.findByText(text)).toBeInTheDocument()
export const press = async (hands: Hands, name: string | RegExp) =>
  hands.click(await screen.findByRole('button', { name }))

const csv = new File(['student,grade'], 'roll.csv', { type: 'text/csv' })

export const chooseList = async (hands: Hands) => {
  await hands.upload(await screen.findByLabelText('CSV file'), csv)
  await press(hands, 'Check File')
}

/** Opens the import and has a list looked through. */
export const looked = async () => {
  const hands = openImport()
  await chooseList(hands)
  await screen.findByText('What the list would change')
  return hands
}
