import {
  addStudent,
  convertToTeacher,
  currentUser,
  listStudents,
  login,
  updateProfile,
} from '#contracts/identity'
import { type IdentityServer, startIdentity } from './identity-server'
import { isSignedIn, parent, refusal, signedIn } from './people'

let school: IdentityServer
beforeAll(async () => {
  school = await startIdentity()
})
afterAll(() => school.close())
beforeEach(async () => {
  await school.runJobs()
  school.world.mails.length = 0
})
afterEach(() => expect(school.faults()).toEqual([]))

const mailsSent = async () => {
  await school.runJobs()
  return school.world.mails.splice(0)
}

const attempt = (username: string, password: string) =>
  school.visitor().call(login, { body: { username, password } })

describe('saving the profile', () => {
  test('changes name, e-mail and phone', async () => {
    const { client } = await parent(school, 'mwila', { email: 'mwila@example.com', phone: '0971' })
    const body = { name: 'Mwila B.', email: '', phone: '0972', currentPassword: 'mwila-secret' }
    const saved = await client.call(updateProfile, { body })
    expect(saved).toMatchObject({ name: 'Mwila B.', email: null, phone: '0972', emailVerified: false })
    expect(await client.call(currentUser)).toEqual(saved)
  })

  test('keeps what is not sent, and an empty new password is none', async () => {
    const { client } = await parent(school, 'bupe', { email: 'bupe@example.com', phone: '0971' })
    const body = { name: 'Bupe', newPassword: '', currentPassword: '', confirmPassword: '' }
    expect(await client.call(updateProfile, { body })).toMatchObject({
      email: 'bupe@example.com',
      phone: '0971',
    })
    expect(await attempt('bupe', 'bupe-secret')).toMatchObject({ name: 'Bupe' })
  })

  const elsewhere = [{ email: 'thief@example.com' }, { phone: '0999' }, { email: '' }]

  test.each(elsewhere)('with another contact (%j) needs the current password', async (contact) => {
    const name = `chipo${JSON.stringify(contact).length}`
    const { client } = await parent(school, name, { email: 'chipo@example.com', phone: '0971' })
    await mailsSent()
    const message = "Password confirmation doesn't match or current password is required"
    const save = (currentPassword?: string) =>
      client.call(updateProfile, { body: { name: 'Chipo', ...contact, currentPassword } })
    await expect(save()).rejects.toEqual(
      refusal(422, 'wrong_current_password', { fields: { currentPassword: 'Current password is required' } }),
    )
    await expect(save('not-it')).rejects.toEqual(
      refusal(422, 'wrong_current_password', { message, fields: { currentPassword: message } }),
    )
    expect(await client.call(currentUser)).toMatchObject({ email: 'chipo@example.com', phone: '0971' })
    expect(await mailsSent()).toEqual([])
    expect(await save(`${name}-secret`)).toMatchObject({ name: 'Chipo' })
    const [toOld] = (await mailsSent()).filter(({ to }) => to === 'chipo@example.com')
    expect(toOld!.subject).toMatch(
      /^The (email address|phone number) of your account at Baobab School was changed$/,
    )
    expect(toOld!.text).not.toMatch(/thief|0999/)
  })

  test('needs a sign-in', async () => {
    await expect(school.visitor().call(updateProfile, { body: { name: 'x' } })).rejects.toEqual(
      refusal(401, 'not_signed_in'),
    )
  })
})

const form = (currentPassword: string, newPassword: string, confirmPassword = newPassword) => ({
  body: { name: 'Somebody', currentPassword, newPassword, confirmPassword },
})

describe('a new password', () => {
  test('keeps this session and ends all others', async () => {
    const { client: phone } = await parent(school, 'chola')
    const laptop = await signedIn(school, 'chola')
    await phone.call(updateProfile, form('chola-secret', 'nshima-22'))
    expect([await isSignedIn(phone), await isSignedIn(laptop)]).toEqual([true, false])
    await expect(attempt('chola', 'chola-secret')).rejects.toEqual(refusal(401, 'wrong_credentials'))
    expect(await attempt('chola', 'nshima-22')).toMatchObject({ username: 'chola' })
  })

  test('needs the current one, and nothing of the profile is saved without it', async () => {
    const { client } = await parent(school, 'grace')
    await expect(client.call(updateProfile, form('not-it', 'nshima-22'))).rejects.toEqual(
      refusal(422, 'wrong_current_password', {
        fields: { currentPassword: 'Current password is incorrect' },
      }),
    )
    expect(await client.call(currentUser)).toMatchObject({ name: 'grace Banda' })
    expect(await attempt('grace', 'grace-secret')).toMatchObject({ username: 'grace' })
  })

  test('must differ, be long enough and be confirmed', async () => {
    const { client } = await parent(school, 'kelvin')
    await expect(client.call(updateProfile, form('kelvin-secret', 'kelvin-secret'))).rejects.toEqual(
      refusal(422, 'password_unchanged', {
        fields: { newPassword: 'Choose a password that differs from the current one' },
      }),
    )
    await expect(client.call(updateProfile, form('kelvin-secret', 'short'))).rejects.toEqual(
      refusal(422, 'validation_failed', {
        fields: expect.objectContaining({ newPassword: 'Password must be at least 6 characters' }),
      }),
    )
    const message = "Password confirmation doesn't match or current password is required"
    for (const [current, confirmed] of [
      ['kelvin-secret', 'nshima-23'],
      ['', 'nshima-22'],
    ] as const)
      await expect(client.call(updateProfile, form(current, 'nshima-22', confirmed))).rejects.toEqual(
        refusal(422, 'validation_failed', { fields: { confirmPassword: message } }),
      )
  })

  test('chosen twice at once is taken once', async () => {
    const { client } = await parent(school, 'joseph')
    const outcomes = await Promise.allSettled(
      ['nshima-22', 'nshima-33'].map((next) => client.call(updateProfile, form('joseph-secret', next))),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('becoming a teacher', () => {
  test('gives a staff account and signs out everywhere', async () => {
    const { client, id } = await parent(school, 'teacher', { name: 'Misozi Mwape' })
    const elsewhere = await signedIn(school, 'teacher')
    expect(await client.call(convertToTeacher)).toEqual({
      message: 'Your account has been converted to a teacher account. Please log in again.',
    })
    expect([await isSignedIn(client), await isSignedIn(elsewhere)]).toEqual([false, false])
    const again = await signedIn(school, 'teacher')
    expect(await again.call(currentUser)).toMatchObject({ role: 'teacher' })
    expect(await again.call(listStudents)).toEqual([
      {
        id: expect.any(Number),
        name: 'Misozi Mwape',
        grade: 'teacher',
        class: null,
        admissionNumber: null,
        parent_id: id,
        parentId: id,
      },
    ])
  })

  test('happens once', async () => {
    const { client } = await parent(school, 'twice')
    await client.call(convertToTeacher)
    const again = await signedIn(school, 'twice')
    await expect(again.call(convertToTeacher)).rejects.toEqual(refusal(409, 'already_teacher'))
    expect(await again.call(listStudents)).toHaveLength(1)
  })

  test('keeps the children, and the staff account follows the name in the profile', async () => {
    const { client } = await parent(school, 'both')
    await client.call(addStudent, { body: { name: 'Chipo', grade: '4' } })
    await client.call(convertToTeacher)
    const again = await signedIn(school, 'both')
    await again.call(updateProfile, { body: { name: 'Both Banda' } })
    expect(await again.call(listStudents)).toEqual([
      expect.objectContaining({ name: 'Chipo', grade: '4' }),
      expect.objectContaining({ name: 'Both Banda', grade: 'teacher' }),
    ])
  })

  test('is not for administrators, nor for nobody', async () => {
    const { password } = await school.identity.ensureSuperadmin()
    await school.database.pool.query(`update identity.users set "mustChangePassword" = false`)
    const office = await signedIn(school, 'superadmin', password!)
    await expect(office.call(convertToTeacher)).rejects.toEqual(refusal(403, 'forbidden'))
    await expect(school.visitor().call(convertToTeacher)).rejects.toEqual(refusal(401, 'not_signed_in'))
  })
})
