import { COLLECTED, END, END_WORD, looksDealt, looksMixed, type Rule } from './rule.ts';

const UUID = '[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}';

export const PAYMENTS: readonly Rule[] = [
  {
    kind: 'stripe',
    page: 'https://docs.stripe.com/keys',
    prefixes: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'sk_prod_', 'rk_prod_', 'sk_org_'],
    rest: '[A-Za-z0-9]{16,255}',
  },
  { kind: 'stripe', page: 'https://docs.stripe.com/webhooks', prefixes: ['whsec_'], rest: '[A-Za-z0-9+/]{24,255}={0,2}' },
  { kind: 'square', page: COLLECTED, prefixes: ['sq0atp-', 'sq0csp-', 'sq0idp-'], rest: '[A-Za-z0-9_-]{22,60}' },
  { kind: 'square', page: COLLECTED, prefixes: ['EAAA'], rest: `[A-Za-z0-9_-]{56,64}${END}`, test: looksMixed },
  {
    kind: 'braintree',
    page: 'https://developer.paypal.com/braintree/docs/reference/general/server-sdk-deprecation-policy',
    prefixes: ['access_token$production$', 'access_token$sandbox$'],
    rest: `[a-z0-9]{16}\\$[a-f0-9]{32}${END}`,
  },
  { kind: 'shopify', page: COLLECTED, prefixes: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shptka_'], rest: `[a-fA-F0-9]{32}${END}` },
  { kind: 'plaid', page: COLLECTED, prefixes: ['access-sandbox-', 'access-development-', 'access-production-'], rest: `${UUID}${END}` },
  { kind: 'flutterwave', page: COLLECTED, prefixes: ['FLWSECK_TEST-', 'FLWSECK-'], rest: '[a-hA-H0-9]{12,32}(?:-X)?' },
  { kind: 'easypost', page: COLLECTED, prefixes: ['EZAK', 'EZTK'], rest: `[A-Za-z0-9]{54}${END}` },
  { kind: 'shippo', page: COLLECTED, prefixes: ['shippo_live_', 'shippo_test_'], rest: `[a-fA-F0-9]{40}${END}` },
  { kind: 'duffel', page: COLLECTED, prefixes: ['duffel_live_', 'duffel_test_'], rest: '[A-Za-z0-9_=-]{43}' },
  {
    kind: 'paddle',
    page: 'https://developer.paddle.com/api-reference/about/api-keys',
    prefixes: ['pdl_live_apikey_', 'pdl_sdbx_apikey_'],
    rest: '[A-Za-z0-9_]{40,80}',
  },
  {
    kind: 'mollie',
    page: 'https://docs.mollie.com/reference/authentication',
    prefixes: ['live_', 'test_'],
    rest: `[A-Za-z0-9]{30,40}${END_WORD}`,
    test: looksDealt,
  },
  {
    kind: 'polar',
    page: 'https://polar.sh/docs/integrate/authentication',
    prefixes: ['polar_oat_', 'polar_pat_'],
    rest: '[A-Za-z0-9_]{30,64}',
  },
  { kind: 'amazon', page: COLLECTED, prefixes: ['amzn.mws.'], rest: `${UUID}${END}` },
  { kind: 'amazon', page: 'https://developer-docs.amazon.com/sp-api/docs/', prefixes: ['amzn1.oa2-cs.v1.'], rest: `[a-f0-9]{64}${END}` },
];
