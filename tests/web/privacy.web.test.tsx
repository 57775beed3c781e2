import { screen, waitFor, within } from '@testing-library/react'
import { currentUser } from '#contracts/identity'
import { acceptPrivacy } from '#contracts/privacy'
import { freshPortal, openPortal, press } from './open-portal'
import { parent } from './sample-family'

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

test('an account that accepted none is pointed to it without a question in the way', async () => {
  openPortal('/', { ...parent, privacy: { accepted: null, current: 2 } })
  expect(await screen.findByText(/Please read what we keep about your family/)).toBeInTheDocument()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})
