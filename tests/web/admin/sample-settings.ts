import type { Parent } from '#contracts/accounts'
import type { Student } from '#contracts/identity'
import type { DiscountCode } from '#contracts/order-reports'
import { FakeRefusal } from './fake-server'

export const onePage = {
  total: 1,
  page: 1,
  pageSize: 50,
  totalPages: 1,
  hasNextPage: false,
  hasPreviousPage: false,
}

export const welcome: DiscountCode = {
  id: 3,
  code: 'WELCOME',
  userId: 7,
  user: { username: 'mwila.banda' },
  studentId: null,
  student: null,
  sponsor: null,
  discountPercentage: 12.5,
  isActive: true,
}

export const chipo: Student = {
  id: 31,
  name: 'Chipo Banda',
  grade: '4',
  class: null,
  admissionNumber: null,
  parent_id: 7,
  parentId: 7,
  version: 'filled',
}
export const mwila: Parent = {
  id: 7,
  username: 'mwila.banda',
  name: 'Mwila Banda',
  email: 'mwila@example.com',
  phone: null,
  role: 'parent',
  students: [chipo],
  version: 'filled',
}
export const parentList = (data: Parent[], totalPages = 1) => ({
  data,
  metadata: { ...onePage, total: data.length, totalPages },
})

/** An answer that says nothing, as a proxy gives when the server is away. */
export const unanswered = () => {
  throw new FakeRefusal(502, null)
}
