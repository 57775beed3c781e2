import { screen, within } from '@testing-library/react'
import { portal } from '#contracts/identity'
import { applyRoll } from '#contracts/roll-import'
import type { FakeServer } from './fake-server'
import { importServer, looked, press, said } from './import-steps'
import { forgetToasts } from './open-console'
import { resultOf } from './sample-import'

const letter = {
  code: 'BCDFGHJK',
  link: 'https://lunch.example.org/register?code=BCDFGHJK',
  guardian: 'Mrs Banda',
  students: [{ id: 9, name: 'Luse Banda', class: '2A' }],
  expiresAt: '2027-02-21T00:00:00.000Z',
}

let server: FakeServer
beforeEach(() => {
  server = importServer()
  server.on(portal, { schoolName: 'Hill School', timezone: 'Africa/Lusaka', demo: false, now: '2026-11-23' })
  server.on(
    applyRoll,
    resultOf({
      codes: [
        { ...letter, mailed: true },
        { ...letter, code: 'KMNPRSTV', mailed: false },
      ],
    }),
  )
})
afterEach(forgetToasts)

const applied = async () => {
  const hands = await looked()
  await press(hands, 'Apply List')
  await said('2 families have a claim code now; 1 gets it by mail.')
  return hands
}

test('the letters with the claim codes of an import are shown and can be shown again', async () => {
  const hands = await applied()
  for (const _again of [1, 2]) {
    await press(hands, 'Print Letters')
    expect(await screen.findByText('BCDF GHJK')).toBeInTheDocument()
    await press(hands, 'Close')
    await press(hands, 'Yes, Close')
  }
})

test('going on without having seen the letters asks, for their codes are told nowhere else', async () => {
  const hands = await applied()
  await press(hands, 'Import Another List')
  const asked = within(await screen.findByRole('dialog', { name: 'Go on without the letters?' }))
  await hands.click(asked.getByRole('button', { name: 'Cancel' }))
  await said('The list is applied')
  await press(hands, 'Import Another List')
  await press(hands, 'Go On')
  expect(await screen.findByLabelText('CSV file')).toBeInTheDocument()
})

test('where no family got a code there is nothing to print', async () => {
  server.on(applyRoll, resultOf())
  const hands = await looked()
  await press(hands, 'Apply List')
  await said('1 child added')
  expect(screen.queryByRole('button', { name: 'Print Letters' })).not.toBeInTheDocument()
  await press(hands, 'Import Another List')
  expect(await screen.findByLabelText('CSV file')).toBeInTheDocument()
})
