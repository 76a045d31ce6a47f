import { expect, it } from 'vitest';
import { designatorBefore, packagesIn } from './designators.ts';

it.each([
  ['(asdf:load-system "ale', 'system ale'],
  ['(asdf:load-system :ale', 'system ale'],
  ["(asdf:load-system 'ale", 'system ale'],
  ['(ql:quickload "', 'system '],
  ['(ql:quickload \'("a" "b', 'system b'],
  ['(ql:quickload (list "b', 'system b'],
  ['(require "sb-p', 'system sb-p'],
  ['(asdf:operate \'asdf:load-op "x', 'system x'],
  ['(defsystem "shop" :depends-on ("ale', 'system ale'],
  ['(defsystem "shop" :depends-on (#:ale', 'system ale'],
  ['(defsystem "shop" :depends-on (', 'system '],
  ['(defsystem "shop" :depends-on ((:version "ale', 'system ale'],
  ['(defsystem "shop" :depends-on ((:version "alexandria" "1', 'string 1'],
  ['(defsystem "shop" :depends-on ((:feature :sbcl "ale', 'system ale'],
  ['(defsystem "shop" :in-order-to ((test-op (test-op "shop/', 'system shop/'],
  ['(defsystem "shop" :components ((:file "a" :depends-on ("b', 'string b'],
  ['(defsystem "sh', 'string sh'],
  ['(in-package sh', 'package sh'],
  ['(in-package #:sh', 'package sh'],
  ['(in-package "', 'package '],
  ['(cl:in-package :', 'package '],
  ['(defpackage :shop (:use :cl #:al', 'package al'],
  ['(defpackage :shop (:import-from :al', 'package al'],
  ['(defpackage :shop (:import-from :alexandria :when', null],
  ['(defpackage :shop (:export :al', null],
  ['(uiop:define-package :shop (:mix :cl "AL', 'package AL'],
  ["(find-package 'sh", 'package sh'],
  ['(find-package sh', null],
  ['(intern "X" :sh', 'package sh'],
  ['(print "(asdf:load-system "', null],
  ['(print "some te', 'string some te'],
  ['(load-sys', null],
  ['(in-package :shop) (list ', null],
])('Behind %j %j is typed', (text, expected) => {
  const found = designatorBefore(text);
  expect(found && `${found.kind} ${found.typed}`).toBe(expected);
});

it('Packages of a text are those that it defines', () => {
  expect(packagesIn('(defpackage #:shop (:use :cl))\n(uiop:define-package "Depot")\n(in-package :shop)')).toEqual([
    'SHOP',
    'Depot',
  ]);
});
