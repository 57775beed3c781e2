import { createMenuItem, type MenuItem, type MenuItemFields } from '#contracts/catalogue'
import { createCycle } from '#contracts/cycles'
import { getSecurity, saveSecurity } from '#contracts/identity'
import { getPaymentBypass, savePaymentBypass } from '#contracts/payments'
import { staySignedIn, type Client } from '../../src/app/demo/client'
import { superadminPassword } from './processes'

const dish: Omit<MenuItemFields, 'name' | 'price'> = {
  type: 'primary',
  weekNumbers: [1, 2, 3, 4, 5, 6],
  daysOfWeek: [1, 2, 3, 4, 5],
  categories: ['vegetarian'],
  sideDishes: [],
  allergens: [],
  proteinDescriptions: {},
  isAvailable: true,
  imageUrl: null,
  description: null,
}

export type CrashSchool = { office: Client; free: MenuItem; paid: MenuItem; cycleId: number }

/** Six weeks to order in, one meal that costs nothing and one that is paid for by card, and families of any size. */
export const openCrashSchool = async (url: string, monday: string): Promise<CrashSchool> => {
  const office = await staySignedIn(url, 'superadmin', superadminPassword)
  const security = await office.call(getSecurity)
  await office.call(saveSecurity, { body: { ...security, maxChildren: 100 } })
  const free = await office.call(createMenuItem, { body: { ...dish, name: 'School porridge', price: '0' } })
  const paid = await office.call(createMenuItem, { body: { ...dish, name: 'Pie', price: '25' } })
  const settings = await office.call(getPaymentBypass)
  await office.call(savePaymentBypass, {
    body: { ...settings, prompt: true, currentPassword: superadminPassword },
  })
  const cycle = { startDate: monday, cycleLength: 6 as const, blockedDays: [] }
  const { id: cycleId } = await office.call(createCycle, { body: cycle })
  return { office, free, paid, cycleId }
}
