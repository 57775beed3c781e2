import type { User } from '#contracts/identity'
import { fetchFirstPage } from '../../web/app/pages'
import { bodyOf, emptyItem } from '../../web/features/catalogue-admin/form/item-values'
import { labelFormatNamed } from '../../web/features/kitchen/labels/label-formats'
import { own } from '../../web/lib/own'
import { firstScreen } from '../../web/pages/admin/console'
import { panels as parents } from '../../web/pages/parent/home'
import { panels as teachers } from '../../web/pages/teacher/home'
import { everyObjectHas } from '../support/own-keys'

const user = (role: User['role']) => ({ role, isSuperadmin: true, allowedFeatures: [] }) as unknown as User

describe.each(everyObjectHas)('%s, which every object has, names nothing that we have', (name) => {
  test.each(['parent', 'teacher', 'admin'] as const)(
    'in the address of the first page of a %s',
    async (role) => {
      const search = `?tab=${name}&section=${name}`
      await expect(fetchFirstPage(user(role), { pathname: '/', search })).resolves.toBeUndefined()
    },
  )

  test('among tabs, sections and label formats', () => {
    expect([parents.get(name), teachers.get(name)]).toEqual([undefined, undefined])
    expect(firstScreen(user('admin'), name)).toBe(firstScreen(user('admin'), null))
    expect(labelFormatNamed(name)).toBe(labelFormatNamed(null))
  })

  test('among the descriptions of proteins, where a protein is called so', () => {
    const item = { ...emptyItem, categories: [name] }
    expect(own(item.proteinDescriptions, name)).toBeUndefined()
    expect(bodyOf(item).proteinDescriptions).toEqual({})
  })
})
