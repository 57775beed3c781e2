export const visitors = {
  nobody: null,
  parent: { username: 'mwila.banda', password: 'tuckshop-parent' },
  teacher: { username: 'teacher.mwape', password: 'tuckshop-teacher' },
  admin: { username: 'superadmin', password: 'tuckshop-superadmin' },
} as const

/** Limits are for the largest paint in ms, at a first and at a later visit. */
export type Screen = {
  name: string
  as: keyof typeof visitors
  path: string
  first?: number
  again?: number
}

const sections = [
  ['today', 'Today'],
  ['menu', 'Menu Management'],
  ['kitchen', 'Kitchen View'],
  ['cycles', 'Order Cycles'],
  ['history', 'Cycle History'],
  ['live_orders', 'Live Orders'],
  ['revenue', 'Revenue Stats'],
  ['refunds', 'Refund Management'],
  ['admins', 'Admin Users'],
  ['parents_students', 'Parents & Students'],
  ['settings', 'Settings'],
  ['order_recovery', 'Order Recovery'],
  ['pending_payments', 'Pending Payments'],
] as const

/** families.md section 1. */
export const screens: Screen[] = [
  { name: 'Sign-in', as: 'nobody', path: '/', first: 1_200 },
  { name: 'Menu', as: 'parent', path: '/', first: 1_800, again: 1_200 },
  { name: 'Cart', as: 'parent', path: '/?tab=cart' },
  { name: 'Students', as: 'parent', path: '/?tab=students' },
  { name: 'Order History', as: 'parent', path: '/?tab=orders' },
  { name: "Teacher's menu", as: 'teacher', path: '/' },
  { name: "Teacher's orders", as: 'teacher', path: '/?tab=orders' },
  ...sections.map(([key, name]) => ({
    name,
    as: 'admin' as const,
    path: `/?section=${key}`,
    first: 2_500,
  })),
]
