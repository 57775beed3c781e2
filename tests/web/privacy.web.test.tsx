import { screen, waitFor, within } from '@testing-library/react'
import { currentUser } from '#contracts/identity'
import { acceptPrivacy, getPrivacy } from '#contracts/privacy'
import { refusal } from './admin/fake-server'
import { freshPortal, openPortal, press } from './open-portal'
import { parent, privacyNotice } from './sample-family'

let server: ReturnType<typeof freshPortal>
beforeEach(() => {
  server = freshPortal()
})

test('strangers read who keeps what for how long, and whom to ask', async () => {
  openPortal('/privacy', null)
  expect(await screen.findByRole('heading', { name: 'Privacy Notice' })).toBeInTheDocument()
  for (const words of ['Hill School keeps it.', '14 days', 'Mrs Tembo, 0977 000 111', 'office@example.com'])
    expect(await screen.findByText(words)).toBeInTheDocument()
})

test('a later notice is shown whole at the next sign-in, and no more once it is accepted', async () => {
  const accepted = { accepted: 2, current: 2 }
  server.on(acceptPrivacy, accepted)
  const hands = openPortal('/', { ...parent, privacy: { accepted: 1, current: 2 } })
  const dialog = within(await screen.findByRole('dialog', { name: 'Our privacy notice has changed' }))
  expect(await dialog.findByText('Hill School keeps it.')).toBeInTheDocument()
  server.on(currentUser, { ...parent, privacy: accepted })
  await press(hands, 'Accept')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(server.asked(acceptPrivacy)[0]?.body).toEqual({ version: 2 })
})

test.each([
  ['a later notice', 1],
  ['a first one', null],
])('%s that changed meanwhile is shown as it is now, and accepted as that', async (_what, accepted) => {
  const hands = openPortal('/', { ...parent, privacy: { accepted, current: 2 } })
  await screen.findByRole('button', { name: 'Accept' })
  const sections = [{ title: 'Who keeps it', paragraphs: ['Kept by Hill School and nobody else.'] }]
  server.on(getPrivacy, { ...privacyNotice, version: 3, sections })
  server.on(currentUser, { ...parent, privacy: { accepted, current: 3 } })
  server.on(acceptPrivacy, () =>
    refusal(409, 'privacy_changed', 'Our privacy notice has changed.', { current: 3 }),
  )
  await press(hands, 'Accept')
  const dialog = within(await screen.findByRole('dialog', { name: 'Our privacy notice has changed' }))
  expect(await dialog.findByText('Kept by Hill School and nobody else.')).toBeInTheDocument()
  server.on(acceptPrivacy, { accepted: 3, current: 3 })
  server.on(currentUser, { ...parent, privacy: { accepted: 3, current: 3 } })
  await hands.click(dialog.getByRole('button', { name: 'Accept' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(server.asked(acceptPrivacy)[0]?.body).toEqual({ version: 3 })
})

test('an account that accepted none is pointed to it without a question in the way', async () => {
  openPortal('/', { ...parent, privacy: { accepted: null, current: 2 } })
  expect(await screen.findByText(/Please read what we keep about your family/)).toBeInTheDocument()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})
