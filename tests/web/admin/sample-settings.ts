import type { DiscountCode } from '#contracts/order-reports'

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
  discountPercentage: 12.5,
  isActive: true,
}
