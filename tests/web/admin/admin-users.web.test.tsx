import { screen, waitFor, within } from '@testing-library/react'
import { administratorList, setPassword, setPermissions, type AdminUser } from '#contracts/accounts'
import { createAdmin, featureNames } from '#contracts/identity'
import { fakeServer, refusal, type FakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { onePage } from './sample-settings'

const office = adminWith('admins', 'menu', 'kitchen')
let server: FakeServer
const listed = (...data: AdminUser[]) => ({ data, metadata: { ...onePage, total: data.length } })

const admin = (more: Partial<AdminUser>): AdminUser => ({
  id: 5,
  username: 'cook',
  role: 'admin',
  allowedFeatures: ['kitchen'],
  isSuperadmin: false,
  disabled: false,
  secondFactor: false,
  allowed: {
    features: ['menu', 'kitchen', 'admins'],
    changePassword: true,
    disable: true,
    removeSecondFactor: false,
  },
  version: 'filled',
  ...more,
})
const top = admin({
  id: 1,
  username: 'superadmin',
  isSuperadmin: true,
  allowedFeatures: [...featureNames],
  allowed: { features: [], changePassword: false, disable: false, removeSecondFactor: false },
})
const self = admin({
  id: office.id,
  username: office.username,
  allowedFeatures: office.allowedFeatures,
  allowed: { features: [], changePassword: false, disable: false, removeSecondFactor: false },
})

beforeEach(() => {
  server = fakeServer()
  server.on(administratorList, listed(top, admin({}), self))
})
afterEach(forgetToasts)

const opened = async (username: string) => {
  const user = openConsole('/?section=admins', office)
  await user.click(await screen.findByRole('button', { name: new RegExp(`^${username}`) }))
  return user
}
const toggle = (name: string) => screen.getByRole('switch', { name })
const isOn = (name: string) => toggle(name).getAttribute('aria-checked') === 'true'

const openForm = async () => {
  const user = openConsole('/?section=admins', office)
  await user.click(await screen.findByRole('button', { name: /^Create Admin User/ }))
  return user
}
const openPasswordDialog = async () => {
  const user = openConsole('/?section=admins', office)
  await user.click(await screen.findByRole('button', { name: 'Change Password of cook' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change Password' }))
  return async (password: string) => {
    await user.type(dialog.getByLabelText('New Password'), password)
    await user.click(dialog.getByRole('button', { name: 'Change Password' }))
  }
}

describe('the list', () => {
  test('tells what each holds; only those the asker holds can be switched', async () => {
    await opened('cook')
    expect(screen.getByText('Every feature')).toBeInTheDocument()
    expect(screen.getByText('1 feature')).toBeInTheDocument()
    expect(isOn('Kitchen View')).toBe(true)
    expect(isOn('Menu Management')).toBe(false)
    expect(toggle('Menu Management')).toHaveProperty('disabled', false)
    expect(toggle('Refund Management')).toHaveProperty('disabled', true)
  })

  test('the own permissions cannot be switched, and why', async () => {
    await opened('grace')
    expect(
      screen.getByText(
        'You cannot modify your own permissions. Contact another admin for permission changes.',
      ),
    ).toBeTruthy()
    expect(toggle('Menu Management')).toHaveProperty('disabled', true)
  })

  test('is searched, narrowed to a feature, sorted and paged by the server, all of it in the address', async () => {
    server.on(administratorList, ({ query }) => ({
      data: query.page === 2 ? [self] : [top, admin({})],
      metadata: { ...onePage, total: 3, totalPages: 2 },
    }))
    const user = openConsole('/?section=admins&search=o&feature=menu&sort=features&direction=desc', office)
    await user.click(await screen.findByRole('button', { name: 'Next' }))
    await screen.findByRole('button', { name: /^grace/ })
    expect(shownAddress()).toBe('/?section=admins&search=o&feature=menu&sort=features&direction=desc&page=2')
    const asked = { search: 'o', feature: 'menu', sort: 'features', direction: 'desc' }
    expect(server.asked(administratorList).map(({ query }) => query)).toEqual([
      { ...asked, page: 1 },
      { ...asked, page: 2 },
    ])
    expect(screen.getByLabelText('Search usernames')).toHaveProperty('value', 'o')
    await user.selectOptions(screen.getByLabelText('Holds'), 'Kitchen View')
    expect(shownAddress()).toBe('/?section=admins&search=o&feature=kitchen&sort=features&direction=desc')
    await user.selectOptions(screen.getByLabelText('Sort by'), 'superadmin first')
    expect(shownAddress()).toBe('/?section=admins&search=o&feature=kitchen')
    await user.clear(screen.getByLabelText('Search usernames'))
    await waitFor(() => expect(shownAddress()).toBe('/?section=admins&feature=kitchen'))
  })

  test('nobody there, or nothing read, is said', async () => {
    server.on(administratorList, listed())
    openConsole('/?section=admins', office)
    expect(await screen.findByText('No admin users found')).toBeInTheDocument()
  })

  test('that could not be read says so', async () => {
    server.on(administratorList, () => refusal(503, 'unavailable', 'The database is away'))
    openConsole('/?section=admins', office)
    expect(await screen.findByText('Failed to fetch admin users')).toBeInTheDocument()
  })
})

describe('a switch', () => {
  test('shows the change before the server answers, and sends what is added', async () => {
    const waiting: ((admin: AdminUser) => void)[] = []
    server.on(setPermissions, () => new Promise((resolve) => waiting.push(resolve)))
    const user = await opened('cook')
    await user.click(toggle('Menu Management'))
    await waitFor(() => expect(isOn('Menu Management')).toBe(true))
    const changed = admin({ allowedFeatures: ['kitchen', 'menu'] })
    server.on(administratorList, listed(top, changed, self))
    waiting[0]!(changed)
    await waitFor(() => expect(server.asked(administratorList)).toHaveLength(1))
    expect(isOn('Menu Management')).toBe(true)
    expect(server.asked(setPermissions)).toEqual([{ params: { id: 5 }, query: {}, body: { add: ['menu'] } }])
  })

  test('goes back when the server refuses, with its words', async () => {
    server.on(setPermissions, () => refusal(403, 'feature_not_held', 'You cannot give or take menu'))
    const user = await opened('cook')
    await user.click(toggle('Menu Management'))
    expect(await screen.findByText('You cannot give or take menu')).toBeInTheDocument()
    await waitFor(() => expect(isOn('Menu Management')).toBe(false))
  })
})

describe('a new administrator', () => {
  test('gets a username, a password and features that the maker holds', async () => {
    server.on(createAdmin, { id: 9, username: 'helper', role: 'admin', allowedFeatures: ['kitchen'] })
    const user = await openForm()
    expect(within(screen.getByRole('group', { name: 'Features' })).getAllByRole('checkbox')).toHaveLength(3)
    await user.type(screen.getByLabelText('Username'), 'helper')
    await user.type(screen.getByLabelText('Password'), 'secret')
    await user.click(screen.getByRole('checkbox', { name: 'Kitchen View' }))
    await user.click(screen.getByRole('button', { name: 'Create Admin' }))
    expect(await screen.findByText('Admin user created successfully')).toBeInTheDocument()
    expect(server.asked(createAdmin)[0]?.body).toEqual({
      username: 'helper',
      password: 'secret',
      allowedFeatures: ['kitchen'],
    })
    expect(screen.queryByRole('button', { name: 'Create Admin' })).not.toBeInTheDocument()
  })

  test('needs a username of 3 and a password of 6 characters', async () => {
    const user = await openForm()
    await user.type(screen.getByLabelText('Username'), 'ab')
    await user.type(screen.getByLabelText('Password'), '12345')
    await user.click(screen.getByRole('button', { name: 'Create Admin' }))
    expect(await screen.findByText('Username must be at least 3 characters')).toBeInTheDocument()
    expect(screen.getByText('Password must be at least 6 characters')).toBeInTheDocument()
  })

  test('whose name is taken is told so at the field', async () => {
    const text = 'This username is already taken'
    server.on(createAdmin, () => refusal(409, 'username_taken', text, { fields: { username: text } }))
    const user = await openForm()
    await user.type(screen.getByLabelText('Username'), 'cook')
    await user.type(screen.getByLabelText('Password'), 'secret')
    await user.click(screen.getByRole('button', { name: 'Create Admin' }))
    expect(await screen.findByText(text)).toBeInTheDocument()
  })
})

describe('a new password', () => {
  test('is given where the server allows it', async () => {
    server.on(setPassword, { message: 'Password updated successfully' })
    const give = await openPasswordDialog()
    expect(screen.queryByRole('button', { name: 'Change Password of superadmin' })).not.toBeInTheDocument()
    await give('another')
    expect(await screen.findByText('Password updated successfully')).toBeInTheDocument()
    expect(server.asked(setPassword)).toEqual([
      { params: { id: 5 }, query: {}, body: { password: 'another' } },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  test("of one's own asks for the one in force", async () => {
    server.on(setPassword, { message: 'Password updated successfully' })
    server.on(administratorList, listed({ ...self, allowed: { ...self.allowed, changePassword: true } }))
    const user = openConsole('/?section=admins', office)
    await user.click(await screen.findByRole('button', { name: `Change Password of ${self.username}` }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change Password' }))
    expect(dialog.getByText(/you are logged out everywhere else/)).toBeInTheDocument()
    await user.type(dialog.getByLabelText('Current Password'), 'the-old-one')
    await user.type(dialog.getByLabelText('New Password'), 'another')
    await user.click(dialog.getByRole('button', { name: 'Change Password' }))
    expect(await screen.findByText('Password updated successfully')).toBeInTheDocument()
    expect(server.asked(setPassword)).toMatchObject([
      { body: { currentPassword: 'the-old-one', password: 'another' } },
    ])
  })

  test('is at least 6 characters', async () => {
    const give = await openPasswordDialog()
    await give('12345')
    expect(await screen.findByText('Password must be at least 6 characters')).toBeInTheDocument()
  })
})
