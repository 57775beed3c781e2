import { screen, waitFor, within } from '@testing-library/react'
import {
  acceptGuardianInvite,
  getGuardianInvite,
  inviteGuardian,
  listGuardians,
  removeGuardian,
  withdrawInvite,
} from '#contracts/accounts'
import { currentUser, listStudents, login } from '#contracts/identity'
import { FakeRefusal, refusal, type FakeServer } from './admin/fake-server'
import { freshPortal, messageOf, openPortal, press, shownAddress } from './open-portal'
import { chanda, parent } from './sample-family'

let server: FakeServer
const me = { userId: 5, name: 'Mutinta Mwila', first: true }
const father = { userId: 8, name: 'Bwalya Mwila', first: false }
const aunt = {
  id: '01990000-0000-7000-8000-000000000001',
  email: 'aunt@example.org',
  expiresAt: '2026-09-21T05:00:00.000Z',
}
beforeEach(() => {
  server = freshPortal()
  server.on(listStudents, [chanda])
  server.on(listGuardians, { guardians: [me, father], invites: [aunt] })
})

const said = async (text: string | RegExp) => expect(await screen.findByText(text)).toBeInTheDocument()

const open = async () => {
  const hands = openPortal('/?tab=students', parent)
  await said('Also a guardian: Bwalya Mwila')
  await press(hands, 'Guardians: Chanda')
  await screen.findByRole('list', { name: 'Guardians' })
  return { hands, dialog: within(screen.getByRole('dialog')) }
}

describe('the first guardian', () => {
  test('sees who else is one, and who is invited until when', async () => {
    const { dialog } = await open()
    expect(dialog.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
      'Mutinta MwilaFirst guardian',
      'Bwalya Mwila',
      'aunt@example.orgInvited, until 21 September',
    ])
    expect(dialog.queryByRole('button', { name: 'Remove Mutinta Mwila' })).not.toBeInTheDocument()
  })

  test('invites by an email address, and is told under the field what is wrong with it', async () => {
    server.on(inviteGuardian, aunt)
    const { hands, dialog } = await open()
    const field = dialog.getByLabelText('Email address of another guardian')
    await hands.type(field, 'nobody')
    await press(hands, 'Send Invitation')
    await waitFor(() => expect(messageOf(field)).toBe('Please enter a valid email address'))
    await hands.clear(field)
    await hands.type(field, 'aunt@example.org')
    await press(hands, 'Send Invitation')
    await said('Invitation sent')
    expect(server.asked(inviteGuardian)).toEqual([
      expect.objectContaining({ params: { id: 1 }, body: { email: 'aunt@example.org' } }),
    ])
    const message = 'This is your own email address'
    server.on(inviteGuardian, () => refusal(422, 'own_address', message, { fields: { email: message } }))
    await hands.type(field, 'mwila@example.com')
    await press(hands, 'Send Invitation')
    await waitFor(() => expect(messageOf(field)).toBe(message))
  })

  test('removes a guardian', async () => {
    server.on(removeGuardian, { message: '' })
    const { hands, dialog } = await open()
    server.on(listGuardians, { guardians: [me], invites: [] })
    await press(hands, 'Remove Bwalya Mwila')
    await said('Bwalya Mwila is no longer a guardian')
    expect(server.asked(removeGuardian)[0]).toMatchObject({ params: { id: 1, userId: 8 } })
    await waitFor(() => expect(dialog.getAllByRole('listitem')).toHaveLength(1))
  })

  test('withdraws an invitation', async () => {
    server.on(withdrawInvite, { message: '' })
    const { hands } = await open()
    await press(hands, 'Withdraw the invitation of aunt@example.org')
    await said('The invitation is withdrawn')
    expect(server.asked(withdrawInvite)[0]).toMatchObject({ params: { id: 1, inviteId: aunt.id } })
  })
})

test('a second guardian sees who is the first, changes neither name nor grade, and may leave', async () => {
  server.on(listStudents, [{ ...chanda, parentId: 8, parent_id: 8 }])
  const guardians = [
    { ...father, first: true },
    { ...me, first: false },
  ]
  server.on(listGuardians, { guardians, invites: [] })
  server.on(removeGuardian, { message: '' })
  const hands = openPortal('/?tab=students', parent)
  await said('First guardian: Bwalya Mwila')
  await said('Second guardian')
  for (const name of ['Edit Chanda', 'Delete Chanda', 'Guardians: Chanda'])
    expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
  await press(hands, 'Leave Chanda')
  server.on(listStudents, [])
  await hands.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Leave' }))
  await said('No students yet')
  expect(server.asked(removeGuardian)[0]).toMatchObject({ params: { id: 1, userId: 5 } })
})

describe('the page of an invitation', () => {
  const address = '/guardian-invite/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
  const shown = {
    student: { name: 'Chanda' },
    invitedBy: { name: 'Bwalya Mwila' },
    expiresAt: aunt.expiresAt,
  }

  test('says who asks and for whom, and accepts', async () => {
    server.on(getGuardianInvite, shown)
    server.on(acceptGuardianInvite, { ...chanda, parentId: 8, parent_id: 8 })
    const hands = openPortal(address, parent)
    await said(/is open until 21 September/)
    expect(screen.getByText(/asks you to be a guardian of/)).toHaveTextContent(
      'Bwalya Mwila asks you to be a guardian of Chanda.',
    )
    expect(server.asked(acceptGuardianInvite)).toEqual([])
    await press(hands, 'Accept')
    await said('You are a guardian of Chanda now.')
    expect(screen.getByRole('link', { name: 'Choose lunches' })).toHaveAttribute('href', '/')
  })

  test('says to another account what is the matter, and no name', async () => {
    const message = 'This invitation was sent to another email address. Log in with the account that has it.'
    server.on(getGuardianInvite, () => refusal(403, 'invite_for_another_address', message))
    openPortal(address, parent)
    await said(message)
    expect(screen.getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/')
    expect(screen.queryByRole('button', { name: 'Accept' })).not.toBeInTheDocument()
  })

  test('says why it could not be accepted after all', async () => {
    server.on(getGuardianInvite, shown)
    const message = 'This invitation was accepted already. Each works once.'
    server.on(acceptGuardianInvite, () => refusal(409, 'invite_used', message))
    const hands = openPortal(address, parent)
    await press(hands, 'Accept')
    await said(message)
  })

  test('has whoever is not signed in sign in first, and is there afterwards', async () => {
    server.on(currentUser, () => {
      throw new FakeRefusal(401, { message: '', error: '', code: 'not_signed_in' })
    })
    server.on(login, parent)
    server.on(getGuardianInvite, shown)
    const hands = openPortal(address, null)
    await hands.type(await screen.findByLabelText('Username'), 'mwila')
    await hands.type(screen.getByLabelText('Password'), 'secret-password')
    server.on(currentUser, parent)
    await press(hands, 'Login to Portal')
    await said(/asks you to be a guardian of/)
    expect(shownAddress()).toBe(address)
  })
})
