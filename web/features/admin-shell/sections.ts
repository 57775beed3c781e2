import type { FeatureName } from '#contracts/identity'

/** The console's sections in their order (administrator.md section 2.2); `ready` ones have their screen. */
export const sections: readonly { key: FeatureName; label: string; ready: boolean }[] = [
  { key: 'menu', label: 'Menu Management', ready: true },
  { key: 'kitchen', label: 'Kitchen View', ready: true },
  { key: 'cycles', label: 'Order Cycles', ready: true },
  { key: 'history', label: 'Cycle History', ready: false },
  { key: 'live_orders', label: 'Live Orders', ready: false },
  { key: 'revenue', label: 'Revenue Stats', ready: false },
  { key: 'refunds', label: 'Refund Management', ready: false },
  { key: 'admins', label: 'Admin Users', ready: false },
  { key: 'parents_students', label: 'Parents & Students', ready: false },
  { key: 'settings', label: 'Settings', ready: false },
  { key: 'order_recovery', label: 'Order Recovery', ready: false },
  { key: 'pending_payments', label: 'Pending Payments', ready: false },
]

export type Section = (typeof sections)[number]

type Holder = { isSuperadmin: boolean; allowedFeatures: readonly FeatureName[] }

/** The sections this administrator holds; superadmin holds all. */
export const sectionsOf = (user: Holder): Section[] =>
  sections.filter((section) => user.isSuperadmin || user.allowedFeatures.includes(section.key))

/** The section named in the address when it is held; otherwise the default, which is menu or the first held. */
export const chosenSection = (held: Section[], key: string | null): Section | null =>
  held.find((section) => section.key === key) ?? held[0] ?? null
