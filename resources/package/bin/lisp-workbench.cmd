@echo off
rem The command of the package on Windows, without a window.
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\..\Lisp Workbench.exe" "%~dp0..\app.asar\out\cli\cli.js" %*
